// A process that goes through what is due and dies where CRASH_AT says.
import pino from 'pino'
import { assignIdle } from '../src/desk/sweeps/assign-idle.ts'
import { closeIdle } from '../src/desk/sweeps/close-idle.ts'
import { wakePaused } from '../src/desk/sweeps/wake-paused.ts'
import { openDatabase } from '../src/platform/database/client.ts'

const db = openDatabase(process.env.DATABASE_URL ?? '', { max: 2 })
const sweeping = { db, ring() {}, log: pino({ level: 'silent' }) }
const clock = () => new Date(process.env.NOW ?? '')

await assignIdle(sweeping, clock)
await closeIdle(sweeping, clock)
await wakePaused(sweeping, clock)
process.exit()
