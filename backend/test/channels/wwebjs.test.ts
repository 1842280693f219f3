import { createTestDatabase } from '../database.ts'
import { describeChannel } from './suite.ts'
import { startWwebjsStandIn } from './wwebjs-stand-in.ts'

const { db } = await createTestDatabase()

describeChannel('wwebjs', () => startWwebjsStandIn(db))
