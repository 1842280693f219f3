import { testDatabase } from '../database.ts'
import { meowStandIn } from './meow-stand-in.ts'
import { channelSuite } from './suite.ts'

const { db } = await testDatabase()

channelSuite('meow', () => meowStandIn(db))
