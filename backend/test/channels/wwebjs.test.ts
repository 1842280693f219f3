import { testDatabase } from '../database.ts'
import { channelSuite } from './suite.ts'
import { wwebjsStandIn } from './wwebjs-stand-in.ts'

const { db } = await testDatabase()

channelSuite('wwebjs', () => wwebjsStandIn(db))
