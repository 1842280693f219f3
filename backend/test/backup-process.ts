// A process that makes the daily backup its environment asks for.
import { createDailyBackup } from '../src/operations/backup/daily.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDatabase } from '../src/platform/database/client.ts'

const db = openDatabase(process.env.DATABASE_URL ?? '', { max: 2 })
await createDailyBackup({ db, config: readConfig(process.env), log: { info() {}, error() {} } })
process.exit(0)
