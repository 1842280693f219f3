import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CompanyPhone, startWhatsApp, type WhatsAppNetwork } from '../src/whatsapp'
import { type Client, pairClient } from './client'

let world: WhatsAppNetwork
let company: CompanyPhone
let client: Client

beforeAll(async () => {
  world = await startWhatsApp({ ackDelayMs: 0 })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  client = await pairClient(world, company)
})

afterAll(async () => {
  client?.end()
  await world.stop()
})

test('a hundred customers write two thousand messages, 300 or more in a second of processor, and each arrives once', async () => {
  const people = Array.from({ length: 100 }, (_, i) =>
    world.customer({ number: `5531990${String(i).padStart(6, '0')}`, name: `Cliente ${i}` }),
  )
  const before = performance.now()
  const used = process.cpuUsage()
  const ids: string[] = []
  for (let round = 0; round < 20; round++) {
    const sent = people.map(person => person.send(company, { type: 'text', text: `Mensagem ${round}` }))
    ids.push(...(await Promise.all(sent)))
  }
  const sendingMs = performance.now() - before
  const { user, system } = process.cpuUsage(used)
  const arrived = () => client.messages.filter(each => each.message?.conversation).map(each => each.key.id ?? '')
  await client.until('all of them', () => arrived().length >= ids.length, 120_000)
  expect(arrived().toSorted()).toEqual(ids.toSorted())
  if (process.env.SHOW) {
    console.log(
      `${(ids.length / (sendingMs / 1000)).toFixed(0)} sent/s, ${(ids.length / ((performance.now() - before) / 1000)).toFixed(0)} received/s`,
    )
    console.log(`${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB with client`)
  }
  // What else the machine does is no work of the simulator's.
  expect(ids.length / ((user + system) / 1e6)).toBeGreaterThan(300)
}, 240_000)
