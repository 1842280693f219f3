import { afterAll } from 'bun:test'
import { testDatabase } from '../database.ts'
import { baileysStandIn } from './baileys-stand-in.ts'
import { channelSuite } from './suite.ts'

// The simulator's media host has a certificate of its own making.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
afterAll(() => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
})
const { db } = await testDatabase()

channelSuite('baileys', () => baileysStandIn(db))
