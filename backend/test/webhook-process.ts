// A process that follows live events and delivers to webhooks; CRASH_AT names where it dies.
import pino from 'pino'
import { startWebhookDispatcher } from '../src/messaging/webhooks-out/dispatcher.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDatabase } from '../src/platform/database/client.ts'
import { openNotices } from '../src/platform/database/notices.ts'

const db = openDatabase(process.env.DATABASE_URL ?? '', { max: 4 })
const log = pino({ level: 'silent' })
await startWebhookDispatcher({ db, config: readConfig(process.env), log }, openNotices(db))
