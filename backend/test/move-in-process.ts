// A process that does the work of moves from other desks, until it is killed.
import pino from 'pino'
import { moveInJobs } from '../src/operations/move-in/jobs.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDatabase } from '../src/platform/database/client.ts'
import { startWorker } from '../src/platform/worker/run.ts'

const url = process.env.DATABASE_URL ?? ''
const log = pino({ level: 'silent' })
const parts = { db: openDatabase(url, { max: 4 }), config: readConfig(process.env), log, ring: () => {} }
startWorker({ url, log, kinds: moveInJobs(parts) })
