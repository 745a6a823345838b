/** Registers of the sketch: its error is about 1.04 over the root of their number. */
const REGISTERS = 4096

/** HyperLogLog (Flajolet et al. 2007): the longest row of zeros that hashes begin with says how many there were. */
export class Sketch {
  readonly #longest = new Uint8Array(REGISTERS)

  add(hash: number): void {
    const at = hash % REGISTERS
    // The 32 bits above those of the register.
    const zeros = Math.clz32(Math.floor(hash / REGISTERS) % 2 ** 32) + 1
    if (zeros > this.#longest[at]!) this.#longest[at] = zeros
  }

  get distinct(): number {
    const sum = this.#longest.reduce((total, longest) => total + 2 ** -longest, 0)
    return Math.round(((0.7213 / (1 + 1.079 / REGISTERS)) * REGISTERS ** 2) / sum)
  }
}
