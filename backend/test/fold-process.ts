// A process that folds the figures' days once.
import { openDatabase } from '../src/database/client.ts'
import { foldFigures } from '../src/figures/days.ts'

await foldFigures(openDatabase(process.env.DATABASE_URL ?? '', { max: 1 }))
process.exit()
