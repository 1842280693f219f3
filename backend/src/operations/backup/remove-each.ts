// One that cannot be removed keeps none of the others.

/** How many went, of all of them together. Throws what failed first, once each was tried. */
export async function removeEach<T>(items: readonly T[], remove: (item: T) => Promise<number>): Promise<number> {
  let gone = 0
  const failures: unknown[] = []
  for (const item of items)
    try {
      gone += await remove(item)
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
  return gone
}
