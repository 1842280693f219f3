// A process that lays the figures' calendar and counts by it.
import { openDatabase } from '../src/database/client.ts'
import { keepCalendar } from '../src/figures/calendar.ts'

await keepCalendar(openDatabase(process.env.DATABASE_URL ?? '', { max: 1 }), new Date())
process.exit()
