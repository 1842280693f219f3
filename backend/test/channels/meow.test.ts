import { createTestDatabase } from '../database.ts'
import { startMeowStandIn } from './meow-stand-in.ts'
import { describeChannel } from './suite.ts'

const { db } = await createTestDatabase()

describeChannel('meow', () => startMeowStandIn(db))
