// Writes one workbook that is told by lines of JSON (`workbook.ts`). Ends with an error unless every sheet came to its end.
import { once } from 'node:events'
import { splitLines } from '../subprocess/lines.ts'
import type { WorkbookFrame } from './workbook.ts'
import { type Cells, renderXlsxSheets } from './xlsx.ts'

/** Makes the cells of lines, whatever these are of. */
export type CellRendererFactory = (of: unknown) => (line: unknown) => Cells

/** After so many packs what was left behind is cleared away: by itself the engine takes what the machine has. */
const PACKS = 20

/** `cellsOf`: how cells are made that are not sent as such. */
export async function writeAll(cellsOf?: CellRendererFactory): Promise<void> {
  const lines = splitLines(process.stdin)
  let packs = 0
  const head = await next()
  if (head === null || !('sheets' in head)) throw new Error('no sheets')
  for await (const bytes of renderXlsxSheets(head.sheets.map(name => ({ name, rows: rows() }))))
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')

  async function* rows(): AsyncGenerator<Cells> {
    let cellsIn: ReturnType<CellRendererFactory> | null = null
    for (let some = await next(); some !== null; some = await next()) {
      if ('sheets' in some) throw new Error('sheets within a sheet')
      if ('of' in some) cellsIn = cellsOf?.(some.of) ?? null
      else if ('lines' in some) {
        if (!cellsIn) throw new Error('nobody knows what these rows are of')
        yield* some.lines.map(cellsIn)
      } else yield* some
    }
  }

  async function next(): Promise<WorkbookFrame> {
    const { done, value } = await lines.next()
    if (done) throw new Error('the end is missing')
    if (++packs % PACKS === 0) Bun.gc(true)
    const sent: WorkbookFrame = JSON.parse(value)
    return sent
  }
}
