import { createTestDatabase } from '../database.ts'
import { startCloudApiStandIn } from './cloud-api-stand-in.ts'
import { describeChannel } from './suite.ts'

const { db } = await createTestDatabase()

describeChannel('cloud_api', () => startCloudApiStandIn(db))
