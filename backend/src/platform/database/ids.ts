/** The ids of rows, or of what a call names by a row or its id alone. */
export function toIds(rows: readonly (number | { readonly id: number | string })[]): number[] {
  return rows.map(row => Number(typeof row === 'number' ? row : row.id))
}

/** Rows in the order of the ids they were asked for by; what is not there is left out. */
export function sortByIds<Row extends { readonly id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}
