// Every call of the contract with values no database takes, and others nobody means: what is wrong is said so (422 or another refusal),
// never "our fault" (500). Calls come from the contract's list: a new one is walked by itself.
import { afterAll, describe, expect, test } from 'bun:test'
import { type Endpoint, endpoints } from '@balcao/contract'
import { setTrustRoot, startWhatsApp } from '@balcao/simulator/whatsapp/index'
import { createApiToken } from '../src/policy/settings/api-token.ts'
import { findEndpoint, listFields, makeBody, makeFields, makeForm, toText } from './contract-calls.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { takeRounds } from './rounds.ts'

// Whoever asks for a code to pair with waits for WhatsApp, so there is one that answers.
const whatsapp = await startWhatsApp()
setTrustRoot(whatsapp.root)
const server = await startDeskServer({ WHATSAPP_WEB_URL: whatsapp.url })
afterAll(() => whatsapp.stop())
const { db, url } = server
const api = createApiToken()

/** More than a statement has parameters (65,535). */
const MANY = 70_000
const TEXTS = [
  'a\0b',
  '\ud800',
  'x\udc00y',
  '-1',
  String(2 ** 31),
  String(2 ** 53),
  '1e309',
  'NaN',
  '2026-02-31',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '10000-01-01',
  '+010000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '275760-09-13',
  '2026-13-45T25:61:61Z',
  "'; drop table ticket; --",
  '%_\\',
  '[99999999999,-1,1e309]',
  '\u202e👩‍👩‍👧‍👦',
  'é'.repeat(20_000),
  cursor([2 ** 53, 2 ** 31]),
  cursor(['a\0', 2 ** 31]),
  cursor(['2026-02-31T00:00:00.000Z', -1]),
  btoa('2026-02-31T00:00:00.000Z|1'),
  btoa('0000-00-00T00:00:00.000Z|9999999999'),
  btoa('2026-01-01T00:00:00.000Z|9999999999|9999999999'),
  btoa('>0000-00-00T00:00:00.000Z|1|1'),
  btoa('o.2026-02-31T99:99:99.000Z|1|1'),
]
const VALUES: readonly unknown[] = [
  ...TEXTS,
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  [],
  {},
  [[[]]],
  ['a\0', null],
  [-1, 2 ** 31, 2 ** 53],
  Array.from({ length: MANY }, (_, n) => n + 1),
  { toString: 1, constructor: null, id: 2 ** 53 },
]

const queueId = await makeQueue(db, 'Financeiro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const whatsappId = await makeConnection(db, 'Loja Centro')
for (let n = 0; n < 3; n++) {
  const contactId = await makeContact(db, `Cliente ${n}`)
  await makeMessage(db, await makeTicket(db, { contactId, whatsappId, status: 'open', queueId }), 'bom dia')
}
await db.$client`insert into setting (key, value) values ('userApiToken', ${api.stored}), ('allowAgendador', 'enabled')
    on conflict (key) do update set value = excluded.value`
const marina = await server.as('Marina')

// What starts connections and what deletes comes last: until then there is something to be asked about, and nothing to wait for.
const LAST = [/session|restart/, /^DELETE/]
const keys = Object.keys(endpoints).sort((a, b) => placeOf(a) - placeOf(b))

describe('whatever comes in is answered, and never with 500:', () => {
  for (const key of keys)
    test(key, async () => {
      const failed: string[] = []
      const all = requestsOf(key)
      const cases = [...takeRounds(all, Math.ceil(all.length / 8))]
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let next = cases.pop(); next; next = cases.pop()) {
            const status = await statusOf(key, next)
            if (status === 500) failed.push(`${next.path.slice(0, 200)} ${toText(next.body).slice(0, 200)}`)
          }
        }),
      )
      expect(failed).toEqual([])
    })

  test('and the desk still works', async () => {
    expect((await marina.call('GET', '/tickets?showAll=true')).status).toBe(200)
  })
})

describe('what Postgres refuses is 422:', () => {
  test('days that are none', async () => {
    for (const day of ['2026-02-31', '2026-02-30', '2026-13-01', '0000-01-01', '10000-01-01']) {
      expect([day, (await marina.call('GET', `/dashboard/stats?firstDate=${day}`)).status]).toEqual([day, 422])
      expect([day, (await marina.call('GET', `/tickets?firstDate=${day}`)).status]).toEqual([day, 422])
    }
  })
})

interface Given {
  readonly path: string
  readonly body?: unknown
}

/** The call with nothing strange, then with each of its places taken by each of the values. */
function requestsOf(key: string): Given[] {
  const { query, body, form, bodyKind }: Endpoint = findEndpoint(key)
  const [method = '', path = ''] = key.split(' ')
  const plain = path.replace(/:key/, 'userCreation').replace(/:\w+/g, '1')
  const usual = makeBody(body)
  const cases: Given[] = [{ path: plain, body: usual }]
  for (const name of path.match(/:\w+/g) ?? [])
    for (const text of TEXTS) cases.push({ path: path.replace(name, escaped(text)).replace(/:\w+/g, '1'), body: usual })
  for (const name of listFields(query))
    for (const text of TEXTS) cases.push({ path: `${plain}?${name}=${escaped(text)}`, body: usual })
  for (const value of body || bodyKind ? VALUES : []) cases.push({ path: plain, body: JSON.stringify(value) })
  for (const name of listFields(body))
    for (const value of VALUES) cases.push({ path: plain, body: { ...usual, [name]: value } })
  for (const name of bodyKind === 'multipart' ? listFields(form) : [])
    for (const text of TEXTS) cases.push({ path: plain, body: makeForm(form, name, text) })
  if (bodyKind) for (const broken of BROKEN) cases.push({ path: plain, body: broken })
  return method === 'GET' ? cases.map(each => ({ path: each.path })) : cases
}

/** No form at all, a file where a text belongs, and names nobody has. */
const BROKEN = [
  new Blob([new Uint8Array([0, 255, 254, 13, 10, 45, 45])]),
  new FormData(),
  makeFields([['medias', new File([], '')]]),
  makeFields([
    ['medias', 'no file'],
    ['body', new File(['x'], '../../\0\ud800.png', { type: 'image/png' })],
    ['__proto__', 'x'],
  ]),
]

async function statusOf(key: string, { path, body }: Given): Promise<number> {
  const [method = ''] = key.split(' ')
  const { audience } = findEndpoint(key)
  // Without a session nobody is signed out by the walk.
  const headers = new Headers(
    audience === 'public' ? {} : { authorization: `Bearer ${audience === 'token' ? api.token : marina.token}` },
  )
  if (body instanceof Blob) headers.set('content-type', 'multipart/form-data; boundary=nada')
  else if (!(body instanceof FormData)) headers.set('content-type', 'application/json')
  const isRaw = body instanceof FormData || body instanceof Blob
  const sent = body === undefined ? null : isRaw ? body : toText(body)
  const answer = await fetch(url + path, { method, headers, body: sent })
  await answer.arrayBuffer()
  if (audience !== 'public') expect(answer.status).not.toBe(401)
  return answer.status
}

function placeOf(key: string): number {
  return LAST.findLastIndex(each => each.test(key))
}

/** Also what is no text at all for `encodeURIComponent`. */
function escaped(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text).slice(0, 8000) : '%ED%A0%80'
}

function cursor(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
