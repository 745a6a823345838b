/**
 * Loaded before a program (`node --import`), ends it by SIGKILL at its K-th change of a file: when one was made, in a write (after
 * half of its bytes), at a flush, a cut, a rename, a link or a removal. So every moment at which a disk can be left behind is tried, and
 * none by luck. RLVI_KILL_AT is K; a number that is never reached changes nothing.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { devNull } from 'node:os'

let left = Number(process.env.RLVI_KILL_AT)

function reached(isFile) {
  return isFile && --left === 0
}

function end() {
  process.kill(process.pid, 'SIGKILL')
  // Nothing more happens here: the signal cannot be heard.
  for (;;);
}

const { openSync, writeSync } = fs

/** Half of the bytes of a write. */
function endInWrite(file, bytes, [at = 0, length = bytes.length - at, position = null]) {
  writeSync(file, bytes, at, Math.floor(length / 2), position)
  end()
}

for (const name of ['writeSync', 'write']) {
  const original = fs[name]
  fs[name] = (file, bytes, ...rest) => {
    // What goes to stdout and stderr is no file of ours.
    if (reached(file > 2 && ArrayBuffer.isView(bytes))) endInWrite(file, bytes, rest)
    return original(file, bytes, ...rest)
  }
  fs[name][Symbol.for('nodejs.util.promisify.custom')] = (...args) =>
    new Promise((resolve, reject) =>
      fs[name](...args, (error, bytesWritten) => (error ? reject(error) : resolve({ bytesWritten }))),
    )
}

// A new file has nothing in it.
for (const holder of [fs, fs.promises])
  for (const name of ['openSync', 'open']) {
    const original = holder[name]
    if (original === undefined) continue
    holder[name] = (path, flags, ...rest) => {
      if (typeof flags === 'string' && /[wa]/.test(flags) && reached(true)) {
        openSync(path, flags)
        end()
      }
      return original(path, flags, ...rest)
    }
  }

const handle = await fs.promises.open(devNull)
const methods = Object.getPrototypeOf(handle)
await handle.close()
const { write } = methods
methods.write = function (bytes, ...rest) {
  if (reached(ArrayBuffer.isView(bytes))) endInWrite(this.fd, bytes, rest)
  return write.call(this, bytes, ...rest)
}

const changes = ['fsync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'renameSync', 'linkSync', 'rmSync']
for (const holder of [fs, fs.promises])
  for (const name of [...changes, 'rename', 'rm', 'copyFile', 'writeFile', 'mkdir', 'cp']) {
    const original = holder[name]
    if (original === undefined || (holder === fs && !changes.includes(name))) continue
    holder[name] = (...args) => {
      if (reached(true)) end()
      return original.apply(holder, args)
    }
  }
syncBuiltinESMExports()
