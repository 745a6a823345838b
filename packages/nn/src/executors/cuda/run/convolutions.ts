import type { Convolution } from '../source/convolution.js'
import type { Device } from './device.js'
import { type ConvolutionAddresses, type Engine, Engines } from './engines.js'
import { type Candidate, fastest, type Way } from './fastest.js'

/** Engines beyond the first few are hardly ever the fastest. */
const CANDIDATES = 12
/** Runs in a row that are measured together: the time between launches then does not count. */
const REPEATS = 8
/** No engine gets more room to work in than this. */
const MOST_WORKSPACE = 256 * 2 ** 20

/** The number of the plain kernel among the engines. */
const PLAIN = -1

/** A convolution whose engine is chosen. */
export interface ChosenConvolution extends Engine {
  dispose(): void
}

/**
 * Chooses an engine of cuDNN by measuring, or the plain kernel where that is faster or nothing else works. Memory must be
 * there already, but what lies in it does not matter.
 */
export function chooseConvolution(
  device: Device,
  convolution: Convolution,
  addresses: ConvolutionAddresses,
  plain: Way,
  room: { readonly address: number; readonly bytes: number },
  stream: number,
): ChosenConvolution {
  const key = keyOf(device, convolution)
  const byHand: ChosenConvolution = { workspace: 0, ready: () => plain, dispose: () => undefined }
  const known = device.cache.choice(key)
  if (known === PLAIN) return byHand
  const engines = new Engines(device, convolution, addresses)
  const most = Math.min(MOST_WORKSPACE, room.bytes)
  try {
    const remembered = known === undefined ? undefined : engines.engine(known, most)
    const chosen = remembered ?? measured()
    if (chosen) return { ...chosen, dispose: () => engines.dispose() }
  } catch (error) {
    engines.dispose()
    throw error
  }
  engines.dispose()
  return byHand

  function measured(): Engine | undefined {
    const ways = candidates(engines, convolution, plain, room, most)
    const best = fastest(device, ways, stream, REPEATS) ?? PLAIN
    const agreed = device.cache.choose(key, best)
    if (agreed === PLAIN) return undefined
    return engines.engine(agreed, most) ?? engines.engine(best, most)
  }
}

/** The plain kernel, where it may win, and the first engines that are allowed. */
function* candidates(
  engines: Engines,
  convolution: Convolution,
  plain: Way,
  room: { readonly address: number },
  most: number,
): Iterable<Candidate> {
  if (isSmall(convolution)) yield { number: PLAIN, make: () => plain }
  let tried = 0
  for (let i = 0; i < engines.count && tried < CANDIDATES; i++) {
    const engine = engines.engine(i, most)
    if (!engine) continue
    tried++
    yield { number: i, make: () => engine.ready(room.address) }
  }
}

/** Multiplications up to which plain loops may win. */
function isSmall({ w, y }: Convolution): boolean {
  const [, c, kh, kw] = w.layout.shape
  const [n, o, oh, ow] = y.layout.shape
  return n * o * oh * ow * c * kh * kw < 3e8
}

function keyOf({ options }: Device, { direction, stride, padding, x, w, y }: Convolution): string {
  const dims = [x, w, y].map(({ layout }) => layout.shape.join('x')).join(' ')
  return `convolution ${direction} ${options.precision} ${options.deterministic} ${dims} ${stride} ${padding}`
}
