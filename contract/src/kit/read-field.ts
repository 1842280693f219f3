/** A field of what came from elsewhere; undefined where that is no object or has none of this name. */
export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
