// Draws one document in a process of its own, which `write.ts` starts and ends.
import { drawAll } from './drawing.ts'

await drawAll()
