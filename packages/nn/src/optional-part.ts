import { phrase, RlviError } from 'rlvi'

/** A package that is not installed with ours: it is large, and most people never need it. */
export interface OptionalPart {
  readonly name: string
  /** The version that ours is tested with. */
  readonly version: string
}

/** ONNX Runtime, which runs networks. */
export const onnxRuntime: OptionalPart = { name: 'onnxruntime-node', version: '1.30.0' }

/** That optional parts are not there, and how they are had. */
export class MissingPart extends RlviError {
  override readonly name: string = 'MissingPart'
  readonly parts: readonly OptionalPart[]

  constructor(where: string, parts: readonly OptionalPart[]) {
    const named = parts.map(({ name, version }) => `${name}@${version}`)
    const rule = `${named.join(' and ')} ${named.length > 1 ? 'are' : 'is'} needed`
    // Whatever ONNX Runtime's install script would fetch, from elsewhere than the registry, is for GPUs.
    const todo = `install with npm install --ignore-scripts ${named.join(' ')} (and -g if rlvi was installed so)`
    super(where, rule, phrase('no such package'), todo)
    this.parts = parts
  }
}

/** What `load` imports; where the part is not installed, the error says how to have it. */
export async function loadPart<T>(where: string, part: OptionalPart, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const missing = code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${part.name}'`)
    throw missing ? new MissingPart(where, [part]) : error
  }
}
