// The function that docs/shop.md gives shops, as it stands there, against the server.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startProgramDesk } from './program-desk.ts'

const desk = await startProgramDesk()
const { sql, url, sales } = desk
const page = await Bun.file(join(import.meta.dir, '../../docs/shop.md')).text()
const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? []

interface Order {
  readonly id: number
  readonly state: string
  readonly phone: string
}

/** The function with this token; `retries`: the seconds it was told to wait. */
function loadExample(token: string) {
  const retries: number[] = []
  const own = code.replace('https://desk.example.com', url)
  const load = new Function('process', 'retryIn', `${own}\nreturn tellCustomer`)
  const tellCustomer: (order: Order) => Promise<void> = load({ env: { BALCAO_TOKEN: token } }, (seconds: number) => {
    retries.push(seconds)
  })
  return { tellCustomer, retries }
}

const listTexts = async () => (await sql<{ body: string }[]>`select body from message order by id`).map(row => row.body)

test('tells a customer once of an order and its state', async () => {
  const { token } = await desk.addToken({ queueIds: [sales], scopes: ['send'] })
  const { tellCustomer, retries } = loadExample(token)
  const order = { id: 1042, state: 'sent', phone: '(11) 98765-4321' }
  await tellCustomer(order)
  await tellCustomer(order)
  expect(await listTexts()).toEqual(['O pedido 1042 saiu para entrega.'])
  await tellCustomer({ ...order, state: 'late' })
  expect(await listTexts()).toHaveLength(2)
  expect(retries).toEqual([])
})

test('waits as long as it is told to, and says what is no number', async () => {
  const { token } = await desk.addToken({ queueIds: [sales], scopes: ['send'], perMinute: 1 })
  const { tellCustomer, retries } = loadExample(token)
  await expect(tellCustomer({ id: 1, state: 'sent', phone: 'abc' })).rejects.toThrow('ERR_VALIDATION')
  await tellCustomer({ id: 2, state: 'sent', phone: '11987654321' })
  expect(retries).toHaveLength(1)
  expect(retries[0]).toBeGreaterThan(0)
})
