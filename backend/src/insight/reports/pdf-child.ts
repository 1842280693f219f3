// Draws one report in a process of its own, which `content.ts` starts.
import { drawAll } from '@balcao/formats/pdf/drawing'
import { createRowRenderer, type RowRendererOptions } from './row-renderer.ts'

await drawAll(of => createRowRenderer(of as RowRendererOptions))
