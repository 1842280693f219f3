import { afterEach, beforeEach, expect, test } from 'bun:test'
import { downloadMediaMessage } from '@whiskeysockets/baileys'
import { CodeRenewedError, type CompanyPhone, startWhatsApp, type WhatsAppNetwork } from '../src/whatsapp'
import { Client, pairClient, reconnect } from './client'

let world: WhatsAppNetwork
let company: CompanyPhone
const clients: Client[] = []

beforeEach(async () => {
  world = await startWhatsApp({ ackDelayMs: 0 })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.end()
  await world.stop()
})

function start(...options: ConstructorParameters<typeof Client>): Client {
  const client = new Client(...options)
  clients.push(client)
  return client
}

test('a scanned QR links the device, the client restarts with 515 and logs in', async () => {
  const client = start(world)
  await client.until('a renewed QR', () => client.qrs.length > 1)
  await company.scan(client.qr ?? '')
  expect(await client.closed()).toBe(515)
  expect(client.auth.creds.me?.id).toBe(`553132224010:1@s.whatsapp.net`)
  clients.push(await reconnect(world, client))
  expect(company.devices[0]?.online).toBe(true)
})

test('a client that ignores companion_reg_refresh is not linked', async () => {
  const client = start(world, undefined, { renewSecret: false })
  const stale = await client.until('a QR', () => client.qr)
  await expect(company.scan(stale)).rejects.toThrow('did not renew')
  expect(client.auth.creds.account).toBeUndefined()
  expect(company.devices).toHaveLength(0)
})

test('told at the scan, the client shows a new code and the phone that keeps looking links it', async () => {
  world.knobs.companionRegRefresh = 'scan'
  const client = start(world)
  const first = await client.until('a QR', () => client.qr)
  expect(company.scan(first)).rejects.toBeInstanceOf(CodeRenewedError)
  const renewed = await client.until('a renewed QR', () => client.qrs.length > 1 && client.qr)
  expect(renewed).not.toBe(first)
  await company.scan(() => client.qr ?? '')
  expect(await client.closed()).toBe(515)
})

test('a phone that keeps looking links, though the screen at first shows nothing, or what nobody stands behind any more', async () => {
  const gone = start(world)
  const old = await gone.until('a QR', () => gone.qr)
  gone.end()
  await gone.closed()
  const client = start(world)
  await client.until('a QR', () => client.qr)
  const seen = ['', old]
  await company.scan(() => seen.shift() ?? client.qr ?? '')
  expect(seen).toEqual([])
  expect(await client.closed()).toBe(515)
  await expect(company.scan(old)).rejects.toThrow('No client shows')
})

test('the eight characters link the device', async () => {
  const client = start(world)
  await client.until('a QR', () => client.qr)
  const code = await client.sock.requestPairingCode('553132224010')
  await world.timeline.next(event => event.type === 'pairing-code')
  await company.enterCode(`${code.slice(0, 4)}-${code.slice(4)}`)
  expect(await client.closed()).toBe(515)
  clients.push(await reconnect(world, client))
  expect(company.devices).toHaveLength(1)
})

test('wrong characters link nothing', async () => {
  const client = start(world)
  await client.until('a QR', () => client.qr)
  const code = world.timeline.next(event => event.type === 'pairing-code')
  await client.sock.requestPairingCode('553132224010')
  await code
  await expect(company.enterCode('AAAA-AAAA')).rejects.toThrow()
  expect(company.devices).toHaveLength(0)
})

test('codes nobody scans run out with 408', async () => {
  const client = start(world, undefined, { qrTimeout: 60 })
  expect(await client.closed()).toBe(408)
  expect(new Set(client.qrs.map(qr => qr.split(',')[0])).size).toBe(6)
})

test('the first login brings the chats of the phone', async () => {
  const lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
  const id = await lucia.send(company, { type: 'text', text: 'Antes de tudo' })
  const photo = await lucia.send(company, { type: 'image', data: Buffer.from('a picture') })
  await company.type({ to: lucia, text: 'Bom dia, Lúcia' })
  const client = await pairClient(world, company)
  clients.push(client)
  const { messages } = await client.until('the history', () => client.all('messaging-history.set')[0])
  expect(messages).toHaveLength(3)
  expect(messages.find(message => message.key.id === id)?.message?.conversation).toBe('Antes de tudo')
  const image = messages.find(message => message.key.id === photo)
  if (!image) throw new Error('The history has no image')
  expect((await downloadMediaMessage(image, 'buffer', {})).toString()).toBe('a picture')
})

test('two companies and two devices of one company live side by side', async () => {
  const other = world.company({ number: '551133334444', name: 'Loja Norte' })
  const lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
  const first = await pairClient(world, company)
  const second = await pairClient(world, company)
  const third = await pairClient(world, other)
  clients.push(first, second, third)
  const id = await lucia.send(company, { type: 'text', text: 'Para as duas' })
  await first.until('the message', () => first.message(id))
  await second.until('the message', () => second.message(id))
  const sent = await first.sock.sendMessage(lucia.lid, { text: 'De uma' })
  const copy = await second.until('the copy', () => second.message(sent?.key.id ?? ''))
  expect(copy.key.fromMe).toBe(true)
  expect(third.messages.filter(message => !message.message?.protocolMessage)).toHaveLength(0)
})
