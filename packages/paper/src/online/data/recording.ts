import type { Draws } from 'rlvi/random'

/** Acceleration along three axes in m/s², sampled at `RATE`, and what the person did at each sample (from 1 on). */
export interface Recording {
  readonly axes: readonly [Float64Array, Float64Array, Float64Array]
  readonly activity: Uint8Array
}

/** Samples a second. */
export const RATE = 10

const GRAVITY = 9.81
const PEOPLE = 12
/** How often each activity is begun: the shares of rows in `humanactivity.mat`. */
const SHARES: readonly number[] = [5850, 6220, 5396, 3956, 2653]

/** How a person moves and wears the phone. */
interface Person {
  readonly pace: number
  readonly vigour: number
  readonly restlessness: number
  readonly turn: number
  readonly tilt: number
}

/** What the body does during a bout: a beat (Hz), how strong along each axis, how irregular, and its stance. */
interface Motion {
  readonly beat: number
  readonly strength: readonly [number, number, number]
  readonly irregular: number
  readonly lean: number
  readonly noise: number
}

/**
 * A made-up recording of five activities, by twelve people in turn. It stands in for the human-activity data where
 * these are not at hand: the same kind of signal, not the same signal.
 */
export function makeRecording(stream: Draws, samples: number): Recording {
  const axes = [0, 1, 2].map(() => new Float64Array(samples)) as unknown as Recording['axes']
  const activity = new Uint8Array(samples)
  const people = Array.from({ length: PEOPLE }, () => makePerson(stream))
  for (let at = 0; at < samples; ) {
    const person = people[Math.floor(stream.uniform(0, PEOPLE))] as Person
    const what = drawActivity(stream)
    const end = Math.min(samples, at + Math.round(RATE * stream.uniform(15, 90)))
    activity.fill(what, at, end)
    recordBout(stream, axes, at, end, person, makeMotion(stream, what, person), what <= 2)
    at = end
  }
  return { axes, activity }
}

function makePerson(stream: Draws): Person {
  return {
    pace: Math.exp(0.08 * stream.normal()),
    vigour: Math.exp(0.3 * stream.normal()),
    restlessness: Math.exp(0.6 * stream.normal()),
    turn: stream.uniform(-0.6, 0.6),
    tilt: stream.uniform(-0.4, 0.4),
  }
}

function drawActivity(stream: Draws): number {
  let left = stream.uniform(
    0,
    SHARES.reduce((sum, share) => sum + share, 0),
  )
  for (const [k, share] of SHARES.entries()) {
    left -= share
    if (left < 0) return k + 1
  }
  return SHARES.length
}

function makeMotion(stream: Draws, what: number, { pace, vigour, restlessness }: Person): Motion {
  const vary = Math.exp(0.2 * stream.normal()) * vigour
  const along = (up: number, forward: number, side: number): Motion['strength'] => [
    up * vary,
    forward * vary,
    side * vary,
  ]
  switch (what) {
    case 1: // Sitting: the thigh is level, so gravity lies along another axis.
      return {
        beat: 0.25,
        strength: along(0.03, 0.03, 0.02),
        irregular: 0,
        lean: 1.2,
        noise: 0.05 * restlessness,
      }
    case 2: // Standing: upright, swaying.
      return {
        beat: 0.4,
        strength: along(0.05, 0.2, 0.15),
        irregular: 0.3,
        lean: 0,
        noise: 0.08 * restlessness,
      }
    case 3: // Walking.
      return { beat: 1.8 * pace, strength: along(2, 1.2, 0.8), irregular: 0.15, lean: 0.05, noise: 0.3 }
    case 4: // Running.
      return { beat: 2.7 * pace, strength: along(8, 4, 2.5), irregular: 0.2, lean: 0.15, noise: 1 }
    default: // Dancing: any beat, any strength.
      return {
        beat: stream.uniform(0.8, 2.4),
        strength: along(stream.uniform(0.6, 6), stream.uniform(0.6, 4), stream.uniform(0.6, 4)),
        irregular: 0.6,
        lean: stream.uniform(-0.3, 0.3),
        noise: 0.5,
      }
  }
}

/** Chance a second that a person who is still stirs, and that one who moves stops for a moment. */
const STIRS = 1 / 30
const PAUSES = 1 / 60

function recordBout(
  stream: Draws,
  axes: Recording['axes'],
  from: number,
  to: number,
  person: Person,
  motion: Motion,
  still: boolean,
): void {
  const lean = motion.lean + person.tilt + 0.15 * stream.normal()
  const [up, forward] = [GRAVITY * Math.cos(lean), GRAVITY * Math.sin(lean)]
  const [cos, sin] = [Math.cos(person.turn), Math.sin(person.turn)]
  let phase = stream.uniform(0, 2 * Math.PI)
  let swing = 1
  let interlude = 0
  for (let t = from; t < to; t++) {
    phase += (2 * Math.PI * motion.beat * (1 + 0.05 * stream.normal())) / RATE
    swing += 0.3 * (1 - swing) + 0.4 * motion.irregular * stream.normal()
    if (interlude > 0) interlude--
    else if (stream.uniform(0, 1) < (still ? STIRS * person.restlessness : PAUSES) / RATE) {
      interlude = Math.round(RATE * stream.uniform(1, 3))
    }
    // One who stirs moves by a metre a second squared or so; one who pauses hardly moves.
    const scale = interlude === 0 ? swing : still ? 12 : 0.1
    const [a, b, c] = motion.strength
    const x =
      up + scale * (a * Math.sin(phase) + 0.4 * a * Math.sin(2 * phase + 1)) + motion.noise * stream.normal()
    const y = forward + scale * b * Math.sin(phase + 0.8) + motion.noise * stream.normal()
    const z = scale * c * Math.sin(phase / 2) + motion.noise * stream.normal()
    axes[0][t] = cos * x - sin * z
    axes[1][t] = y
    axes[2][t] = sin * x + cos * z
  }
}
