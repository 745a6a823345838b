/** Compiles the SIMD kernels (AssemblyScript) into a string that the core carries, unless that is up to date. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import asc from 'assemblyscript/asc'

const core = new URL('../packages/core/', import.meta.url)
const source = new URL('wasm/', core)
const target = new URL('src/kernels/simd.generated.ts', core)

// By content, not by time stamps, which a checkout does not keep.
const hash = createHash('sha256').update(asc.version)
for (const name of readdirSync(source).sort()) hash.update(readFileSync(new URL(name, source)))
const stamp = `// ${hash.digest('hex')}`

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(stamp)) {
  let binary
  const { error, stderr } = await asc.main(
    [
      'index.ts',
      '--outFile',
      'simd.wasm',
      '-O3',
      '--noAssert',
      '--converge',
      '--runtime',
      'stub',
      '--enable',
      'simd',
    ],
    {
      readFile: (name) => {
        const file = new URL(name, source)
        return existsSync(file) ? readFileSync(file, 'utf8') : null
      },
      writeFile: (_, contents) => {
        binary = contents
      },
      listFiles: () => [],
    },
  )
  if (error !== null) throw new Error(`build-wasm: ${error.message}\n${stderr.toString()}`)
  const text = Buffer.from(binary).toString('base64')
  writeFileSync(target, `${stamp}\nexport const simdModule: string =\n  '${text}'\n`)
}
