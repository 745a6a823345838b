/** Lines of C in a block; what was computed there, or in a block around it, is not computed again. */
export class Block {
  readonly lines: string[] = []
  readonly #known = new Map<string, string>()
  readonly #outer: Block | undefined

  constructor(outer?: Block) {
    this.#outer = outer
  }

  recall(key: string): string | undefined {
    return this.#known.get(key) ?? this.#outer?.recall(key)
  }

  remember(key: string, name: string): void {
    this.#known.set(key, name)
  }

  get text(): string {
    return this.lines.join('\n')
  }
}
