// Reducers by version: the same event twice, or an older one late, changes nothing.

interface VersionedRow {
  readonly id: number
  readonly version: number
}

/** Whether `incoming` is to replace `known`. */
export function isNewer(known: VersionedRow | undefined, incoming: VersionedRow) {
  return known === undefined || incoming.version > known.version
}

/**
 * A list with the incoming row put in its place or added at the front; the same list if it is not newer.
 *
 * @example setRows(rows => upsertByVersion(rows, event.ticket))
 */
export function upsertByVersion<T extends VersionedRow>(list: readonly T[], incoming: T): readonly T[] {
  const at = list.findIndex(row => row.id === incoming.id)
  if (at < 0) return [incoming, ...list]
  return isNewer(list[at], incoming) ? list.with(at, incoming) : list
}
