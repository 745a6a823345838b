/**
 * Memory that work takes for a while: what would be too much together waits, in the order in which it came. Work that needs more
 * than there is gets all of it, alone.
 */
export class Room {
  private readonly size: number
  private taken = 0
  private readonly waiting: { readonly bytes: number; readonly begin: () => void }[] = []

  constructor(size: number) {
    this.size = size
  }

  async use<Result>(wanted: number, work: () => Promise<Result>): Promise<Result> {
    const bytes = Math.min(wanted, this.size)
    if (this.waiting.length > 0 || this.taken + bytes > this.size)
      await new Promise<void>((resolve) => void this.waiting.push({ bytes, begin: resolve }))
    else this.taken += bytes
    try {
      return await work()
    } finally {
      this.taken -= bytes
      this.admit()
    }
  }

  private admit(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (this.taken + next.bytes > this.size) return
      this.taken += next.bytes
      this.waiting.shift()
      next.begin()
    }
  }
}
