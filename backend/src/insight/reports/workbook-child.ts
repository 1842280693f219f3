// Writes one report as a workbook in a process of its own, which `content.ts` starts.
import { writeAll } from '@balcao/formats/sheets/workbook-writing'
import { cellsLike } from './cells.ts'
import type { RowsLike } from './rows.ts'

await writeAll(of => cellsLike(of as RowsLike))
