// Writes one report as a workbook in a process of its own, which `content.ts` starts.
import { writeAll } from '@balcao/formats/sheets/workbook-writing'
import { createCellRenderer } from './cell-renderer.ts'
import type { RowRendererOptions } from './row-renderer.ts'

await writeAll(of => createCellRenderer(of as RowRendererOptions))
