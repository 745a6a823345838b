/** Removes compiled files whose source is gone: a package must not carry what was moved or deleted. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages', import.meta.url))

for (const name of readdirSync(packages)) {
  const dist = `${packages}/${name}/dist`
  if (!existsSync(dist)) continue
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    // Made anew by join-modules.mjs.
    if (file.startsWith('joined')) continue
    const compiled = /^(.*?)(\.d\.ts|\.js)(\.map)?$/.exec(file)
    if (compiled === null || existsSync(`${packages}/${name}/src/${compiled[1]}.ts`)) continue
    rmSync(`${dist}/${file}`)
  }
}
