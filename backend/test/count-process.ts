// A process that lays the figures' calendar and counts by it.
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { openDatabase } from '../src/platform/database/client.ts'

await refreshCalendar(openDatabase(process.env.DATABASE_URL ?? '', { max: 1 }), new Date())
process.exit()
