// Lives the demo's month anew, some minutes long: after a change of its story, or of what the product writes down. `npm run month`.
import { join } from 'node:path'
import { run } from './steps.ts'

const folder = join(import.meta.dir, '../e2e/src/month')
await run([process.execPath, join(folder, 'make.ts'), join(folder, 'rows.json.zst')])
