// Whether more is read where there is more: what few and many rows made a call read, held beside each other.
import { type ReadStatement, sum } from './read-meter.ts'

const MOST_GROWTH = 1.2
/** A list of several ranges of which one is not full yet, a page of an index that was split. */
const FREE_ROWS = 82
const FREE_BLOCKS = 20
/** Its places in two indexes, itself and what hangs on it: with ten times as many beside it each row stands in blocks of its own. */
const BLOCKS_A_ROW = 4

/** By how much more was read, and by which statements, as they begin; null where it is within bounds. */
export function describeGrowth(few: readonly ReadStatement[], many: readonly ReadStatement[]): string | null {
  const [rows, blocks] = (['rows', 'blocks'] as const).map(unit =>
    [few, many].map(read => sum(read.map(each => each[unit]))),
  )
  const isMore = (counts: readonly number[] = [], free: number) =>
    (counts[1] ?? 0) > MOST_GROWTH * (counts[0] ?? 0) + free
  // A tree of ten times as many rows is a level deeper at most.
  const isScattered = (blocks?.[1] ?? 0) <= BLOCKS_A_ROW * (rows?.[1] ?? 0)
  const isBlocksMore = isMore(blocks, FREE_BLOCKS + sum(many.map(each => each.descents))) && !isScattered
  if (!isMore(rows, FREE_ROWS) && !isBlocksMore) return null
  const statements = many
    .filter(each => {
      const before = few.find(other => other.text === each.text)
      return each.blocks > FREE_BLOCKS && each.blocks > MOST_GROWTH * (before?.blocks ?? 0) + each.descents
    })
    .map(each => `[${each.rows} rows, ${each.blocks} blocks: ${each.text.slice(0, 200)}]`)
  return `rows ${rows?.join(' → ')}, blocks ${blocks?.join(' → ')} ${statements.join(' ')}`
}
