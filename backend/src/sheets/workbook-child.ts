// Writes one workbook in a process of its own, which `workbook.ts` starts: lines of JSON come in, the file goes out. Ends with an error
// unless every sheet came to its end.
import { once } from 'node:events'
import { linesOf } from '../apart/lines.ts'
import type { Sent } from './workbook.ts'
import { type Cells, xlsxOfSheets } from './xlsx.ts'

const lines = linesOf(process.stdin)
const head = await next()
if (head === null || !('sheets' in head)) throw new Error('no sheets')
for await (const bytes of xlsxOfSheets(head.sheets.map(name => ({ name, rows: rows() }))))
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')

async function* rows(): AsyncGenerator<Cells> {
  for (let some = await next(); some !== null; some = await next()) {
    if ('sheets' in some) throw new Error('sheets within a sheet')
    yield* some
  }
}

async function next(): Promise<Sent> {
  const { done, value } = await lines.next()
  if (done) throw new Error('the end is missing')
  const sent: Sent = JSON.parse(value)
  return sent
}
