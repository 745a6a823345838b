/** The first Ctrl-C asks the work to stop where it can go on later; the second ends the process as usual. */
export function stopOnInterrupt(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const ask = (): void => controller.abort()
  process.once('SIGINT', ask)
  process.once('SIGTERM', ask)
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', ask)
      process.off('SIGTERM', ask)
    },
  }
}
