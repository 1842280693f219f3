import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CompanyPhone, type CustomerPhone, startWhatsApp, type WhatsAppNetwork } from '../src/whatsapp'
import { type Client, pairClient } from './client'

let world: WhatsAppNetwork
let company: CompanyPhone
let lucia: CustomerPhone
let client: Client

beforeAll(async () => {
  world = await startWhatsApp({ ackDelayMs: 20 })
  if (process.env.SHOW) world.on(event => console.log(event.type, event.type === 'trouble' ? event.error : ''))
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia', onWhatsAppAs: '553198762210' })
  client = await pairClient(world, company)
})

afterAll(async () => {
  client?.end()
  await world.stop()
})

test('a desk pairs by QR, restarts and is online', () => {
  expect(company.devices).toHaveLength(1)
  expect(company.devices[0]?.online).toBe(true)
})

test('a customer writes, the desk receives it, the customer sees two ticks', async () => {
  const id = await lucia.send(company, { type: 'text', text: 'Bom dia!' })
  const message = await client.until('the message', () => client.message(id))
  expect(message.message?.conversation).toBe('Bom dia!')
  expect(message.key.remoteJid).toBe(lucia.lid)
  expect(message.key.remoteJidAlt).toBe(lucia.jid)
  expect(message.pushName).toBe('Dona Lúcia')
  await client.until('the ticks', () => lucia.chat(company)[0]?.tick === 'delivered')
})

test('the desk answers, the customer reads, the desk sees the blue ticks', async () => {
  const sent = await client.sock.sendMessage(lucia.lid, { text: 'Olá, Dona Lúcia' })
  const id = sent?.key.id ?? ''
  await client.until('the answer', () => lucia.message(company.user, id))
  expect(lucia.message(company.user, id)?.content).toEqual({ type: 'text', text: 'Olá, Dona Lúcia' })
  await client.until('delivered', () => client.status(id) >= 3)
  lucia.read(company)
  await client.until('read', () => client.status(id) >= 4)
})

test('the desk reads, the customer sees the blue ticks', async () => {
  const id = await lucia.send(company, { type: 'text', text: 'Obrigada' })
  const message = await client.until('the message', () => client.message(id))
  await client.sock.readMessages([message.key])
  await client.until('the ticks', () => lucia.message(company.user, id)?.tick === 'read')
})
