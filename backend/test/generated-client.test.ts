// The description of what programs may call: an independent validator takes it, and a client that a common generator makes of it compiles
// and runs the examples against the server.
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Endpoint, endpoints } from '@balcao/contract'
import { CALL_EXAMPLES, isOpenToPrograms } from '@balcao/contract/api/examples'
import { Validator } from '@seriousme/openapi-schema-validator'
import { buildOpenapiDocument } from '../src/platform/http/openapi.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

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
  const open = Object.entries<Endpoint>(endpoints).flatMap(([key, endpoint]) =>
    isOpenToPrograms(endpoint) ? [key] : [],
  )
  expect(Object.keys(CALL_EXAMPLES).sort()).toEqual(open.sort())
  const described = Object.values<object>(document.paths).flatMap(operations => Object.keys(operations))
  expect(described).toHaveLength(open.length)
})

test('a client generated of it compiles, and runs every example', async () => {
  const server = await startDeskServer({ GRAPH_URL: 'http://127.0.0.1:9' })
  const token = await fillDesk(server)
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
  const { run } = await import(join(folder, 'examples.ts'))
  const statuses: Record<string, number> = await run(server.url, token)
  const refused = Object.entries(statuses).filter(([, status]) => status >= 400)
  expect(refused).toEqual([])
  expect(Object.keys(statuses)).toEqual(Object.keys(CALL_EXAMPLES))
}, 120_000)

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
async function fillDesk({ db, as }: Awaited<ReturnType<typeof startDeskServer>>): Promise<string> {
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
  const form = { name: 'Exemplos', scopes, userId, perMinute: 600 }
  return (await marina.call<{ token: string }>('POST', '/integrations/tokens', form)).body.token
}

/** A program as somebody would write it with the client: each example is checked by the compiler against the types that were generated. */
function writeProgram(): string {
  const calls = Object.entries(CALL_EXAMPLES).map(([key, { path, query, body, text }]) => {
    const [method = '', template = ''] = key.split(' ')
    const endpoint: Endpoint | undefined = Object.entries<Endpoint>(endpoints).find(([each]) => each === key)?.[1]
    const params = {
      ...(path && { path: Object.fromEntries(Object.entries(path).map(([name, id]) => [name, String(id)])) }),
      ...(query && { query }),
    }
    const content = text ?? body
    const how = text !== undefined ? ', ...RAW' : endpoint?.body === undefined && body !== undefined ? ', ...FORM' : ''
    const sent = content === undefined ? '' : `, body: ${JSON.stringify(content)}${how}`
    const address = findTemplate(template)
    const renamed = JSON.stringify({ ...params, ...(path && { path: renamePath(address, Object.values(path)) }) })
    return `  statuses[${JSON.stringify(key)}] = (await client.${method}(${JSON.stringify(address)}, { params: ${renamed}${sent} })).response.status`
  })
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

export async function run(baseUrl: string, token: string): Promise<Record<string, number>> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
  const statuses: Record<string, number> = {}
${calls.join('\n')}
  return statuses
}
`
}

/** The path of the document: of two that differ in the names of their parameters it has one. */
function findTemplate(template: string): string {
  const toShape = (text: string) => text.replace(/:\w+|\{\w+\}/g, '{}')
  const found = Object.keys(document.paths).find(path => toShape(path) === toShape(template))
  if (found === undefined) throw new Error(`${template} is not described`)
  return found
}

function renamePath(address: string, ids: readonly number[]): Record<string, string> {
  return Object.fromEntries([...address.matchAll(/\{(\w+)\}/g)].map(([, name = ''], at) => [name, String(ids[at])]))
}
