// A process that lays the figures' calendar and counts by it.
import { keepCalendar } from '../src/insight/figures/calendar.ts'
import { openDatabase } from '../src/platform/database/client.ts'

await keepCalendar(openDatabase(process.env.DATABASE_URL ?? '', { max: 1 }), new Date())
process.exit()
