// Names that a search which finds nothing may have meant: those a slip or two away from it.
import { foldText } from '@balcao/contract/kit/search'

const MOST = 3
/** Shorter ones are near to anything. */
const SHORTEST = 4

/** The nearest of some names, each by the word where it comes nearest: `padria` may mean 'Padaria Estrela'. */
export function findNearest(search: string, names: Iterable<string>): string[] {
  const wanted = foldText(search.trim())
  if (wanted.length < SHORTEST) return []
  const most = wanted.length < 6 ? 1 : 2
  return [...new Set(names)]
    .map(name => ({ name, slips: measureWordDistance(wanted, foldText(name)) }))
    .filter(({ slips }) => slips <= most)
    .sort((one, other) => one.slips - other.slips)
    .slice(0, MOST)
    .map(({ name }) => name)
}

/** What is typed may be the beginning of a word, or of the whole name. */
function measureWordDistance(wanted: string, name: string): number {
  const starts = [...name.matchAll(/[^\s-]+/g)].map(({ index }) => name.slice(index))
  const cuts = starts.flatMap(start => [-1, 0, 1].map(more => start.slice(0, wanted.length + more)))
  return Math.min(...cuts.map(cut => measureEditDistance(wanted, cut)))
}

/** How many letters have to be put in, taken out or changed. */
function measureEditDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++) {
      const changed = (row[to] ?? 0) + Number(letter !== other[to])
      next.push(Math.min(changed, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
