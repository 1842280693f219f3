// Draws one report in a process of its own, which `content.ts` starts.
import { drawAll } from '../pdf/drawing.ts'
import { type RowsLike, rowsLike } from './rows.ts'

await drawAll(of => rowsLike(of as RowsLike))
