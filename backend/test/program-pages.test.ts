// What the pages for other programs (docs/shop.md, docs/n8n.md, docs/typebot.md) tell people to copy, run against a desk.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { WEBHOOK_SAMPLES } from '@balcao/contract'
import { buildBody } from '../src/messaging/webhooks-out/body.ts'
import { createSecret, signWebhook } from '../src/messaging/webhooks-out/signature.ts'
import { makeContact, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'

const DOCS = join(import.meta.dir, '../../docs')
const DESK = 'https://desk.example.com'
const { sql, db, url, sales, whatsappId, addToken } = await startProgramDesk()
const readPage = (name: string) => Bun.file(join(DOCS, name)).text()

/** The blocks of code in a page. */
async function readCode(name: string): Promise<string[]> {
  return [...(await readPage(name)).matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code)
}

async function listBodies(like: string): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`select body from message where body like ${like} order by id`
  return rows.map(({ body }) => body)
}

interface Order {
  readonly id: number
  readonly state: string
  readonly phone: string
}

/** The function of the shop, with the waits it asked for. */
async function loadShop(desk: string, token: string) {
  const [code = ''] = await readCode('shop.md')
  expect(code).toContain(DESK)
  const waits: number[] = []
  const make = new Function('process', 'retryIn', `${code.replaceAll(DESK, desk)}\nreturn tellCustomer`)
  const tellCustomer: (order: Order) => Promise<unknown> = make({ env: { BALCAO_TOKEN: token } }, (seconds: number) =>
    waits.push(seconds),
  )
  return { tellCustomer, waits }
}

test('a shop tells a customer once of an order and its state', async () => {
  const { token } = await addToken({ queueIds: [sales], scopes: ['send'] })
  const { tellCustomer, waits } = await loadShop(url, token)
  const left = { id: 1042, state: 'shipped', phone: '(11) 98765-4321' }
  await Promise.all([tellCustomer(left), tellCustomer(left)])
  await tellCustomer(left)
  expect(await listBodies('O pedido 1042 %')).toEqual(['O pedido 1042 saiu para entrega.'])
  await tellCustomer({ ...left, state: 'delivered' })
  expect(await listBodies('O pedido 1042 %')).toHaveLength(2)
  expect(waits).toEqual([])
})

test('a shop waits as long as it is told to, and says why nothing was sent', async () => {
  const { token } = await addToken({ queueIds: [sales], scopes: ['send'], perMinute: 1 })
  const { tellCustomer, waits } = await loadShop(url, token)
  const order = { id: 1043, state: 'shipped', phone: '5511987654321' }
  while (waits.length === 0) await tellCustomer(order)
  expect(waits[0]).toBeGreaterThan(0)
  expect(waits[0]).toBeLessThanOrEqual(60)
  const busy = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 503 }) })
  try {
    const away = await loadShop(busy.url.origin, token)
    await away.tellCustomer(order)
    expect(away.waits).toEqual([60])
  } finally {
    await busy.stop(true)
  }
  const other = await loadShop(url, (await addToken({ queueIds: [sales], scopes: ['readTickets'] })).token)
  await expect(other.tellCustomer(order)).rejects.toThrow('ERR_NO_PERMISSION')
  const own = await loadShop(url, (await addToken({ queueIds: [sales], scopes: ['send'] })).token)
  await expect(own.tellCustomer({ ...order, id: 1044, phone: '12' })).rejects.toThrow('ERR_VALIDATION')
})

/** Replaces the parts in double braces of a text of n8n. */
function evaluate(text: string, $json: unknown): string {
  return text.replace(/^=/, '').replace(/\{\{(.*?)\}\}/gs, (_, code) => new Function('$json', `return ${code}`)($json))
}

interface WorkflowNode {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>> & {
    readonly headerParameters?: { readonly parameters: readonly { readonly name: string; readonly value: string }[] }
    readonly conditions?: {
      readonly conditions: readonly { readonly leftValue: string; readonly rightValue: string }[]
    }
  }
}

/** What the workflow does with a webhook. */
async function runWorkflow(
  $json: { headers: Record<string, string>; body: unknown },
  token: string,
): Promise<number[]> {
  const { nodes }: { nodes: WorkflowNode[] } = await Bun.file(join(DOCS, 'n8n-workflow.json')).json()
  const find = (type: string) => {
    const node = nodes.find(one => one.type === `n8n-nodes-base.${type}`)
    if (!node) throw new Error(`The workflow has no ${type}`)
    return node.parameters
  }
  const isMeant = (find('if').conditions?.conditions ?? []).every(
    ({ leftValue, rightValue }) => evaluate(leftValue, $json) === rightValue,
  )
  if (!isMeant) return []
  const { method = '', url: address = '', jsonBody = '', headerParameters } = find('httpRequest')
  expect(address.startsWith(DESK)).toBe(true)
  const headers = headerParameters?.parameters.map(({ name, value }) => [name, evaluate(value, $json)]) ?? []
  const answer = await fetch(address.replace(DESK, url), {
    method,
    headers: { ...Object.fromEntries(headers), 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: evaluate(jsonBody, $json),
  })
  return [answer.status]
}

test('the workflow for n8n answers a conversation that began once, and needs no field of the contact', async () => {
  const { token } = await addToken({ queueIds: [sales], scopes: ['send'] })
  const contactId = await makeContact(db, 'Padaria Estrela')
  const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'pending', queueId: sales })
  const happenedAt = '2026-03-02T12:00:00Z'
  const webhook = (type: 'ticket.opened' | 'ticket.resolved', id: string) => {
    const body = buildBody({ type, data: { ...WEBHOOK_SAMPLES[type], ticketId }, happenedAt }, [])
    return { headers: { 'webhook-id': id }, body: JSON.parse(body) }
  }
  expect(await runWorkflow(webhook('ticket.opened', 'msg_1'), token)).toEqual([201])
  expect(await runWorkflow(webhook('ticket.opened', 'msg_1'), token)).toEqual([201])
  expect(await runWorkflow(webhook('ticket.resolved', 'msg_2'), token)).toEqual([])
  const words = await sql<{ body: string }[]>`select body from message where ticket_id = ${ticketId}`
  expect(words.map(({ body }) => body)).toEqual(['Recebemos a sua mensagem e já respondemos.'])
})

test('the check of signatures for n8n takes what the desk signs, and nothing else', async () => {
  const [code = ''] = await readCode('n8n.md')
  const secret = createSecret()
  expect(code).toContain("'MfKQ9r8G…'")
  const check = new Function('$json', '$input', 'require', code.replace('MfKQ9r8G…', secret.slice('whsec_'.length)))
  const body = buildBody(
    { type: 'ticket.opened', data: WEBHOOK_SAMPLES['ticket.opened'], happenedAt: '2026-03-02T12:00:00Z' },
    [],
  )
  const run = (signedBy: readonly string[], raw: string | null) => {
    const binary = raw === null ? {} : { data: { data: Buffer.from(raw).toString('base64') } }
    const headers = signWebhook(signedBy, 'msg_1', new Date(), body)
    const item = { json: {}, binary }
    return check({ headers, body: JSON.parse(raw ?? body) }, { item }, require) === item
  }
  for (const raw of [body, null]) {
    expect(run([secret], raw)).toBe(true)
    expect(run([createSecret(), secret], raw)).toBe(true)
    expect(() => run([createSecret()], raw)).toThrow('not from Balcão')
  }
  expect(() => run([secret], body.replace('pending', 'open'))).toThrow('not from Balcão')
})

test('the blocks for Typebot add a contact and send once', async () => {
  const { token } = await addToken({ queueIds: [sales], scopes: ['contacts', 'send'] })
  const page = await readPage('typebot.md')
  const blocks = [...page.matchAll(/(https:\/\/desk[^\s`]+)`(?:(?!https:)[^{])*`(\{".*?\})`/gs)]
  expect(blocks).toHaveLength(2)
  const values: Record<string, string> = { Nome: 'João "Zé" Lima', Telefone: '+55 11 98765-4399', Pedido: '77' }
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => JSON.stringify(values[name]).slice(1, -1))
  const key = /`(pedido-\{\{\w+\}\})`/.exec(page)?.[1] ?? ''
  const run = ([, address = '', body = '']: readonly string[]) =>
    fetch(address.replace(DESK, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': fill(key) },
      body: fill(body),
    })
  const [add = [], send = []] = blocks
  expect((await run(add)).status).toBe(201)
  expect((await sql`select 1 from contact where name = 'João "Zé" Lima'`).length).toBe(1)
  for (let round = 0; round < 2; round++) expect((await run(send)).status).toBe(201)
  expect(await listBodies('Pedido de %')).toEqual(['Pedido de João "Zé" Lima'])
})
