/** What a page may do: show itself. No network, no script but the one of that hash. */
export function policy(scriptHash?: string): string {
  const scripts = scriptHash === undefined ? '' : ` script-src '${scriptHash}';`
  return `default-src 'none'; img-src data:; style-src 'unsafe-inline';${scripts} base-uri 'none'; form-action 'none'`
}
