// Writes one workbook in a process of its own, which `workbook.ts` starts.
import { writeAll } from './workbook-writing.ts'

await writeAll()
