import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startWhatsApp, type WhatsAppNetwork } from '../src/whatsapp'
import { Companion } from '../src/whatsapp/companion'

let world: WhatsAppNetwork

beforeAll(async () => {
  world = await startWhatsApp()
})

afterAll(() => world.stop())

test('a message asked for again waits for its receipt, whatever the device says of the first copy', async () => {
  const company = world.company({ number: '553132224010', name: 'Loja Centro' })
  const lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
  const { preKey: _once, ...keys } = lucia.signal.bundle()
  const device = new Companion(company, 1, 1, 'chrome', keys)
  const message = { tag: 'message', attrs: { id: 'A1', from: lucia.lid } }
  device.push(message)
  device.acknowledged(message, 'asked for again')
  device.push(message)
  device.acknowledged(message, 'refused with 500')
  expect(device.waiting).toBe(1)
  device.acknowledged(message)
  expect(device.waiting).toBe(0)
  device.push(message)
  device.acknowledged(message, 'refused with 487')
  expect(device.waiting).toBe(0)
})
