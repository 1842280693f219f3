import { testDatabase } from '../database.ts'
import { cloudApiStandIn } from './cloud-api-stand-in.ts'
import { channelSuite } from './suite.ts'

const { db } = await testDatabase()

channelSuite('cloud_api', () => cloudApiStandIn(db))
