// A process that folds the figures' days once.
import { foldFigures } from '../src/insight/figures/days.ts'
import { openDatabase } from '../src/platform/database/client.ts'

await foldFigures(openDatabase(process.env.DATABASE_URL ?? '', { max: 1 }))
process.exit()
