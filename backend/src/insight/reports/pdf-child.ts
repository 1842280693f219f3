// Draws one report in a process of its own, which `content.ts` starts.
import { drawAll } from '@balcao/formats/pdf/drawing'
import { type RowsLike, rowsLike } from './rows.ts'

await drawAll(of => rowsLike(of as RowsLike))
