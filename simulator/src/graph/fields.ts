// Reading a request body strictly: what is missing, misspelled or out of bounds is refused with the field's own path.
import { GraphCallError } from './errors.ts'

interface Bounds {
  min?: number
  max?: number
}

export class GraphFields {
  private readonly value: Record<string, unknown>
  readonly path: string

  constructor(value: unknown, path = '') {
    if (!isRecord(value)) throw new GraphCallError(100, `Param ${path || 'body'} must be a JSON object`)
    this.value = value
    this.path = path
  }

  /** Refuses every key that is not in the list, as Graph does with misspelled ones. */
  only(...keys: string[]): this {
    for (const key of Object.keys(this.value))
      if (!keys.includes(key))
        throw new GraphCallError(100, `Unexpected key "${key}" on param "${this.path || 'body'}"`)
    return this
  }

  has(key: string): boolean {
    return this.value[key] !== undefined && this.value[key] !== null
  }

  text(key: string, bounds: Bounds = {}): string {
    this.present(key)
    return this.optionalText(key, { min: 1, ...bounds }) ?? ''
  }

  optionalText(key: string, bounds: Bounds = {}): string | undefined {
    const found = this.value[key]
    if (found === undefined) return undefined
    if (typeof found !== 'string') throw new GraphCallError(100, `Param ${this.at(key)} must be a string`)
    if (found.length < (bounds.min ?? 0)) throw new GraphCallError(131009, `Param ${this.at(key)} must not be empty`)
    if (bounds.max !== undefined && found.length > bounds.max)
      throw new GraphCallError(131009, `Param ${this.at(key)} must be at most ${bounds.max} characters long`)
    return found
  }

  number(key: string, bounds: Bounds = {}): number {
    this.present(key)
    const found = this.value[key]
    const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw new GraphCallError(100, `Param ${this.at(key)} must be a number`)
    if (number < (bounds.min ?? -Infinity) || number > (bounds.max ?? Infinity))
      throw new GraphCallError(131009, `Param ${this.at(key)} must be between ${bounds.min} and ${bounds.max}`)
    return number
  }

  flag(key: string): boolean {
    const found = this.value[key]
    if (found === undefined) return false
    if (typeof found !== 'boolean') throw new GraphCallError(100, `Param ${this.at(key)} must be a boolean`)
    return found
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T {
    const found = this.text(key)
    const match = allowed.find(option => option === found)
    if (match === undefined)
      throw new GraphCallError(100, `Param ${this.at(key)} must be one of {${allowed.join(', ')}} - got "${found}"`)
    return match
  }

  object(key: string): GraphFields {
    this.present(key)
    return new GraphFields(this.value[key], this.at(key))
  }

  list(key: string, bounds: Bounds = {}): GraphFields[] {
    this.present(key)
    const found = this.value[key]
    if (!Array.isArray(found)) throw new GraphCallError(100, `Param ${this.at(key)} must be an array`)
    if (found.length < (bounds.min ?? 0) || found.length > (bounds.max ?? Infinity))
      throw new GraphCallError(
        131009,
        `Param ${this.at(key)} must have between ${bounds.min ?? 0} and ${bounds.max} items`,
      )
    return found.map((item, index) => new GraphFields(item, `${this.at(key)}[${index}]`))
  }

  at(key: string): string {
    return this.path ? `${this.path}['${key}']` : key
  }

  private present(key: string): void {
    if (!this.has(key)) throw new GraphCallError(131008, `The parameter ${this.at(key)} is required.`)
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
