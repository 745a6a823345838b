/**
 * Which public exports have no doc comment: those who use a package read them in their editor.
 *
 *   npm run build && node scripts/doc-comments.mjs
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The declaration files that a package's entries lead to. */
function entries(folder) {
  const { exports, private: isPrivate } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (isPrivate) return []
  return Object.values(exports).flatMap((entry) =>
    entry.types === undefined ? [] : [join(folder, entry.types)],
  )
}

/** Names that a declaration file exports without a comment, with the files that they come from. */
function undocumented(file, only) {
  const text = readFileSync(file, 'utf8')
  const bare = []
  for (const [, list, from] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
    const names = list.split(',').map(
      (name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0],
    )
    bare.push(...undocumented(resolve(dirname(file), from.replace(/\.js$/, '.d.ts')), names))
  }
  for (const [, as, from] of text.matchAll(/^export \*( as \w+)? from '([^']+)'/gm)) {
    const wanted = as === undefined ? only : undefined
    bare.push(...undocumented(resolve(dirname(file), from.replace(/\.js$/, '.d.ts')), wanted))
  }
  const declared = new Set()
  const declaration =
    /(\*\/\n)?^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type|let) (\w+)/gm
  for (const [, comment, name] of text.matchAll(declaration)) {
    const isFirst = !declared.has(name)
    declared.add(name)
    if (comment === undefined && isFirst && (only === undefined || only.includes(name)))
      bare.push(`${relative(root, file)}: ${name}`)
  }
  return bare
}

/** Every public export without a doc comment. */
export function withoutComment() {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
  const all = folders.flatMap((folder) => entries(folder).flatMap((entry) => undocumented(entry)))
  return [...new Set(all)].sort()
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const bare = withoutComment()
  for (const name of bare) console.log(name)
  console.log(`${bare.length} public exports without a doc comment`)
  if (bare.length > 0) process.exitCode = 1
}
