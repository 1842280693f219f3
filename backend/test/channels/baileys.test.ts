import { afterAll } from 'bun:test'
import { createTestDatabase } from '../database.ts'
import { startBaileysStandIn } from './baileys-stand-in.ts'
import { describeChannel } from './suite.ts'

// The simulator's media host has a certificate of its own making.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
afterAll(() => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
})
const { db } = await createTestDatabase()

describeChannel('baileys', () => startBaileysStandIn(db))
