// The description of what programs may call: an independent validator takes it, and a client that a common generator makes of it compiles
// and runs the examples against the server.
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiToken, Message } from '@balcao/contract'
import { CALL_EXAMPLES, PROGRAM_CALLS } from '@balcao/contract/api/examples'
import { Validator } from '@seriousme/openapi-schema-validator'
import { buildOpenapiDocument } from '../src/platform/http/openapi.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitForSettledEvents } from './settled-events.ts'

const document = JSON.parse(JSON.stringify(buildOpenapiDocument('1.2.3', 'programs')))

test('the documents are OpenAPI 3.1', async () => {
  for (const readers of ['programs', 'all'] as const) {
    const { valid, errors } = await new Validator().validate(
      JSON.parse(JSON.stringify(buildOpenapiDocument('1.2.3', readers))),
    )
    expect([readers, valid, errors]).toEqual([readers, true, undefined])
  }
})

test('that of programs holds what is open to them, each with an example, and nothing else', () => {
  const open = Object.keys(PROGRAM_CALLS)
  expect(Object.keys(CALL_EXAMPLES).sort()).toEqual(open.sort())
  const described = Object.values<object>(document.paths).flatMap(operations => Object.keys(operations))
  expect(described).toHaveLength(open.length)
})

test('a client generated of it compiles, and runs every example', async () => {
  const server = await startDeskServer({ GRAPH_URL: 'http://127.0.0.1:9' })
  const { person, company, fileId } = await fillDesk(server)
  // Inside of the package, so that the compiler finds what it uses.
  await using folders = new AsyncDisposableStack()
  const folder = await mkdtemp(join(import.meta.dir, '../node_modules/.generated-client-'))
  folders.defer(() => rm(folder, { recursive: true }))
  await Bun.write(join(folder, 'openapi.json'), JSON.stringify(document))
  // It needs the compiler before ours, which its package has.
  expectSuccess([GENERATOR, join(folder, 'openapi.json'), '--output', join(folder, 'schema.ts')])
  await Bun.write(join(folder, 'examples.ts'), writeProgram())
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, files: ['examples.ts'] }))
  expectSuccess([TSC, '-p', folder, '--noEmit'])
  const { run, workAsCompany } = await import(join(folder, 'examples.ts'))
  const statuses: Record<string, number> = await run(server.url, person, fileId)
  const refused = Object.entries(statuses).filter(([, status]) => status >= 400)
  expect(refused).toEqual([])
  expect(Object.keys(statuses)).toEqual(Object.keys(CALL_EXAMPLES))
  const settle = () => waitForSettledEvents(server.db.$client)
  expect(await workAsCompany(server.url, company, fileId, settle)).toEqual({
    ...{ accepted: 'open Marina', comment: 'Loja virtual', file: 'Pedido 1042', changed: ['pending 2'] },
    ...{ schedule: 'Loja virtual', resolved: 'closed', report: 'report.ticket', unnamed: 422, elsewhere: 403 },
  })
})

const TSC = join(import.meta.dir, '../../node_modules/.bin/tsc')
const GENERATOR = join(import.meta.dir, '../../client/node_modules/.bin/openapi-typescript')

function expectSuccess(command: string[]): void {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, ...command])
  expect([exitCode, exitCode === 0 ? '' : stdout.toString() + stderr.toString()]).toEqual([0, ''])
}

const COMPILER = {
  strict: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'esnext',
  skipLibCheck: true,
  types: [],
}

/** Everything the examples name, under the number they name it by. */
async function fillDesk({
  db,
  as,
}: Awaited<ReturnType<typeof startDeskServer>>): Promise<{ person: string; company: string; fileId: string }> {
  const sql = db.$client
  const queueId = await makeQueue(db, 'Vendas')
  const whatsappId = await makeConnection(db, 'Loja')
  const official = await makeConnection(db, 'Oficial', 'cloud_api')
  await sql`update whatsapp set is_default = id = ${whatsappId}`
  await sql`insert into setting (key, value) values ('allowAgendador', 'enabled') on conflict (key) do update set value = 'enabled'`
  const userId = await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [queueId] })
  const contactId = await makeContact(db, 'Padaria Estrela')
  const second = await makeContact(db, 'Oficina Sul')
  const third = await makeContact(db, 'Livraria Norte')
  await makeMessage(db, await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId }), 'Bom dia')
  await makeTicket(db, { contactId: second, whatsappId: official, status: 'open', queueId, userId })
  await makeTicket(db, { contactId: third, whatsappId, status: 'pending', queueId })
  const marina = await as('Marina')
  const scopes = ['readTickets', 'readMessages', 'send', 'serve', 'contacts', 'webhooks', 'reports']
  const form = new FormData()
  form.set('medias', new File(['Pedido 1042'], 'pedido.txt', { type: 'text/plain' }))
  const { body } = await marina.call<Message | Message[]>('POST', '/messages/1', form)
  await marina.call('POST', '/messages/1', { body: '-- Paga na entrega.' })
  const fileId = [body].flat()[0]?.mediaUrl?.split('/')[2] ?? ''
  const make = async (holder: object) => {
    const tokenForm = { name: 'Loja virtual', scopes, perMinute: 600, ...holder }
    return (await marina.call<ApiToken & { token: string }>('POST', '/integrations/tokens', tokenForm)).body.token
  }
  await sql`insert into user_queue (user_id, queue_id) values (${userId}, ${await makeQueue(db, 'Suporte')})`
  const finance = await makeQueue(db, 'Financeiro')
  for (const [name, queue] of [
    ['Papelaria Oeste', queueId],
    ['Banco Leste', finance],
  ] as const)
    await makeTicket(db, { contactId: await makeContact(db, name), whatsappId, status: 'pending', queueId: queue })
  return { person: await make({ userId }), company: await make({ queueIds: [1, 2] }), fileId }
}

/** A program as somebody would write it with the client: each example is checked by the compiler against the types that were generated. */
function writeProgram(): string {
  const calls = Object.entries(CALL_EXAMPLES).map(([key, { path, query, body, text }]) => {
    const [method = '', template = ''] = key.split(' ')
    const endpoint = PROGRAM_CALLS[key]
    const params = {
      ...(path && { path: Object.fromEntries(Object.entries(path).map(([name, id]) => [name, String(id)])) }),
      ...(query && { query }),
    }
    const content = text ?? body
    const how = text !== undefined ? ', ...RAW' : endpoint?.body === undefined && body !== undefined ? ', ...FORM' : ''
    const sent = content === undefined ? '' : `, body: ${JSON.stringify(content)}${how}`
    const read = endpoint?.isFile ? ", parseAs: 'stream'" : ''
    const address = findTemplate(template)
    const renamed = JSON.stringify({ ...params, ...(path && { path: renamePath(address, Object.values(path)) }) })
    return `  statuses[${JSON.stringify(key)}] = (await client.${method}(${JSON.stringify(address)}, { params: ${renamed}${sent}${read} })).response.status`
  })
  const fileId = JSON.stringify(CALL_EXAMPLES['GET /media/:id']?.path?.id)
  return `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const RAW = { headers: { 'content-type': 'application/octet-stream' }, bodySerializer: (body: string) => body }
const FORM = {
  bodySerializer(body: object) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body)) form.set(name, String(value))
    return form
  },
}

export async function run(baseUrl: string, token: string, fileId: string): Promise<Record<string, number>> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
  const statuses: Record<string, number> = {}
${calls.join('\n').replaceAll(fileId, 'fileId')}
  return statuses
}
${COMPANY_WORK}`
}

/** What a shop does that works on tickets without being anybody. */
const COMPANY_WORK = `
export async function workAsCompany(baseUrl: string, token: string, fileId: string, settle: () => Promise<void>) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
  const ticket = { params: { path: { id: '4' } } }
  await settle()
  const begun = await client.GET('/tickets/changes', {})
  const unnamed = await client.PUT('/tickets/{id}', { ...ticket, body: { status: 'open' } })
  const accepted = await client.PUT('/tickets/{id}', { ...ticket, body: { status: 'open', userId: 2 } })
  const comment = await client.POST('/messages/{ticketId}', {
    params: { path: { ticketId: '4' } },
    body: { body: '-- Pago', clientId: 'pago-1042' },
  })
  const elsewhere = await client.PUT('/tickets/{id}', { params: { path: { id: '5' } }, body: { status: 'closed' } })
  await client.PUT('/tickets/{id}', { ...ticket, body: { queueId: 2, userId: null } })
  const cursor = begun.data?.nextCursor
  await settle()
  const changed = await client.GET('/tickets/changes', { params: { query: { ...(cursor && { cursor }) } } })
  const reminder = { message: 'Amanhã chega o pedido.', recurrence: 'once' as const, sendAt: '2036-03-02T12:00:00.000Z' }
  const schedule = await client.POST('/agendamento', { body: { ...reminder, contactsIds: '4', whatsappId: '1' }, ...FORM })
  await client.PUT('/tickets/{id}', { ...ticket, body: { status: 'open', userId: 2 } })
  const resolved = await client.PUT('/tickets/{id}', { ...ticket, body: { status: 'closed', onlyClose: true } })
  const period = { startDate: '2026-03-01', endDate: '2026-03-31', format: 'xlsx' as const }
  const report = await client.POST('/report/ticket', { body: period })
  const job = report.data && 'jobId' in report.data ? String(report.data.jobId) : ''
  const read = await client.GET('/jobs/{id}', { params: { path: { id: job } } })
  const file = await client.GET('/media/{id}', { params: { path: { id: fileId } }, parseAs: 'text' })
  const line = [comment.data].flat()[0]
  return {
    unnamed: unnamed.response.status,
    accepted: accepted.data?.status + ' ' + accepted.data?.user?.name,
    comment: line?.user?.name,
    elsewhere: elsewhere.response.status,
    changed: changed.data?.tickets.map(({ status, queueId }) => status + ' ' + queueId),
    schedule: schedule.data?.program?.name,
    resolved: resolved.data?.status,
    report: read.data?.kind,
    file: file.data,
  }
}
`

/** The path of the document: of two that differ in the names of their parameters it has one. */
function findTemplate(template: string): string {
  const toShape = (text: string) => text.replace(/:\w+|\{\w+\}/g, '{}')
  const found = Object.keys(document.paths).find(path => toShape(path) === toShape(template))
  if (found === undefined) throw new Error(`${template} is not described`)
  return found
}

function renamePath(address: string, ids: readonly (number | string)[]): Record<string, string> {
  return Object.fromEntries([...address.matchAll(/\{(\w+)\}/g)].map(([, name = ''], at) => [name, String(ids[at])]))
}
