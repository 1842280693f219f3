// A process that erases who is due; CRASH_AT names where it dies.
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/database/client.ts'
import { privacyJobs } from '../src/privacy/jobs.ts'
import { startWorker } from '../src/worker/run.ts'

const url = process.env.DATABASE_URL ?? ''
const log = pino({ level: 'silent' })
const parts = { db: openDatabase(url, { max: 4 }), config: readConfig(process.env), log, ring: () => {} }
startWorker({ url, log, kinds: privacyJobs(parts) })
