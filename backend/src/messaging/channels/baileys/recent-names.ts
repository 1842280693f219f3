/** Remembers the newest names, up to a number of them. */
export class RecentNames {
  private readonly names = new Set<string>()

  constructor(private readonly most: number) {}

  /** @returns false when the name was known */
  add(name: string): boolean {
    if (this.names.has(name)) return false
    this.names.add(name)
    if (this.names.size > this.most) for (const oldest of this.names.values()) return this.names.delete(oldest)
    return true
  }

  has(name: string): boolean {
    return this.names.has(name)
  }

  clear(): void {
    this.names.clear()
  }
}
