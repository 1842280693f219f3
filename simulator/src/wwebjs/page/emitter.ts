/**
 * Events as the page's own models have them: names may stand several in one text, and every change is told under each name. Who listens
 * stands in no field: of calls the library takes the first field that is a map.
 */

type Listener = (...args: readonly unknown[]) => unknown

export class Emitter {
  readonly #heard = new Map<string, Set<Listener>>()

  on(names: string, listener: Listener): void {
    for (const name of names.split(' ')) {
      const known = this.#heard.get(name) ?? new Set()
      this.#heard.set(name, known.add(listener))
    }
  }

  off(names: string, listener: Listener): void {
    for (const name of names.split(' ')) this.#heard.get(name)?.delete(listener)
  }

  once(name: string, listener: Listener): void {
    const first: Listener = (...args) => {
      this.off(name, first)
      return listener(...args)
    }
    this.on(name, first)
  }

  trigger(name: string, ...args: readonly unknown[]): void {
    for (const listener of [...(this.#heard.get(name) ?? [])]) listener(...args)
  }
}
