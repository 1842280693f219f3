// Draws one document that is told by lines of `wire.ts`, and writes a PDF as its pages are full. Told to the end the process ends with 0;
// anything else is no document.
import { splitLines } from '../subprocess/lines.ts'
import { drawBlock, drawHead } from './blocks.ts'
import type { BubblePart, Row } from './document.ts'
import { Paper } from './paper.ts'
import { loadPicture, type Picture } from './pictures.ts'
import { TableOnPaper } from './tables.ts'
import type { BlockFrame, DocumentFrame } from './wire.ts'

/** Makes rows of lines, whatever these are of. */
export type RowRendererFactory = (of: unknown) => (line: unknown) => Row

/** After so many pages what was left behind is cleared away: by itself the engine takes what the machine has. */
const PAGES = 8

/** `rowsOf`: how rows are made that are not sent as such. */
export async function drawAll(rowsOf?: RowRendererFactory): Promise<never> {
  const out = Bun.stdout.writer()
  let paper: Paper | null = null
  let table: TableOnPaper | null = null
  let rowOf: ReturnType<RowRendererFactory> | null = null
  let isEnded = false
  let cleared = 0

  for await (const line of splitLines(Bun.stdin.stream())) {
    const sent: DocumentFrame = JSON.parse(line)
    if ('head' in sent) {
      paper = new Paper(sent.head)
      drawHead(paper, sent.head)
    } else if (!paper) throw new Error('A document begins with its head')
    else if ('rows' in sent) table?.add(sent.rows)
    else if ('lines' in sent) table?.add(made(sent.lines))
    else {
      table?.end()
      table = null
      if ('end' in sent) {
        isEnded = true
        break
      }
      rowOf = sent.of === undefined || !rowsOf ? null : rowsOf(sent.of)
      if (sent.block.kind === 'table') table = new TableOnPaper(paper, sent.block)
      else drawBlock(paper, sent.block, await loadPictures(sent.block))
    }
    await written(paper)
  }
  if (!paper || !isEnded) throw new Error('The document was not told to its end')
  const whole = new Promise(resolve => paper?.doc.resume().once('end', resolve))
  paper.end()
  await whole
  await written(paper)
  await out.end()
  process.exit(0)

  function made(lines: readonly unknown[]): Row[] {
    if (!rowOf) throw new Error('Nobody knows what these rows are of')
    return lines.map(rowOf)
  }

  /** Whoever reads is given what there is before more is drawn. */
  async function written({ doc }: Paper): Promise<void> {
    for (const bytes of doc.taken()) await out.write(bytes)
    await out.flush()
    if (doc.pages < cleared + PAGES) return
    Bun.gc(true)
    cleared = doc.pages
  }
}

async function loadPictures(block: BlockFrame): Promise<Map<BubblePart, Picture>> {
  const found = new Map<BubblePart, Picture>()
  if (block.kind !== 'message') return found
  for (const part of block.parts) {
    const picture = part.part === 'picture' ? await loadPicture(part) : null
    if (picture) found.set(part, picture)
  }
  return found
}
