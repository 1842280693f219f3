// A process that does long work and dies in the middle of it: KILL_AT names where.
import pino from 'pino'
import { createLongJob, type JobParts } from '../src/desk/jobs/long.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDatabase } from '../src/platform/database/client.ts'
import { startWorker } from '../src/platform/worker/run.ts'
import { createCountingJob } from './counting.ts'

const url = process.env.DATABASE_URL ?? ''
const log = pino({ level: 'silent' })
const parts: JobParts = { db: openDatabase(url, { max: 4 }), config: readConfig(process.env), log, ring: () => {} }

startWorker({
  url,
  log,
  kinds: [
    createLongJob(
      parts,
      createCountingJob(step => {
        if (step === process.env.KILL_AT) process.kill(process.pid, 'SIGKILL')
      }),
    ),
  ],
})
