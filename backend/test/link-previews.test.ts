// Previews of links: what the sender's phone says, what a page says when the server may ask it, and everything that is not requests.
import { afterAll, describe, expect, test } from 'bun:test'
import { findPreviewAddress } from '../src/desk/link-previews/address.ts'
import { fetchPreview } from '../src/desk/link-previews/fetch-preview.ts'
import { previewLink } from '../src/desk/link-previews/jobs.ts'
import { toLinkPreview } from '../src/messaging/channels/shared/link-preview.ts'
import { sweepTokens } from '../src/operations/retention.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer } from './inbox-world.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const requests: string[] = []
const PAGES: Readonly<Record<string, (request: Request) => Response>> = {
  '/loja': () =>
    html(`<title>Outra</title><meta property="og:title" content="P&atilde;es &amp; caf&#233; \u202E"/>
      <meta name=description content="Todo\n dia"><meta property=og:image content="/foto.png">`),
  '/foto.png': () => new Response(PNG, { headers: { 'content-type': 'image/png' } }),
  '/antiga': () =>
    new Response(Buffer.from('<meta charset=iso-8859-1><title>Promoção</title>', 'latin1'), {
      headers: { 'content-type': 'text/html' },
    }),
  '/estranha': () => new Response('<title>Olá</title>', { headers: { 'content-type': 'text/html; charset=nenhum' } }),
  '/desvio': () => redirect('/loja'),
  '/laço': () => redirect('/la%C3%A7o'),
  '/dentro': () => redirect('http://169.254.169.254/latest/meta-data'),
  '/arquivo': () => new Response('<title>Não</title>', { headers: { 'content-type': 'application/pdf' } }),
  '/erro': () => new Response('<title>Não</title>', { status: 500, headers: { 'content-type': 'text/html' } }),
  '/bomba': () =>
    new Response(Bun.gzipSync(new Uint8Array(20_000_000)), {
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
    }),
  '/funda': () => html(`${'<b><meta '.repeat(60_000)}<title>Tarde</title>`),
  '/aspas': () => html(`<meta content="${'&#'.repeat(300_000)}`),
  '/sem-fim': () => stream(() => Buffer.alloc(64 * 1024, 'a')),
  '/lenta': () => stream(() => Bun.sleep(50).then(() => Buffer.from(' '))),
}
const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const path = decodeURI(new URL(request.url).pathname)
    requests.push(path)
    return (PAGES[path] ?? (() => html(`<title>Página ${path}</title>`)))(request)
  },
})
afterAll(() => site.stop(true))
const host = `loja.example:${site.port}`
const network = { allowed: [host], resolve: async () => ['127.0.0.1'] }
const at = (path: string) => `http://${host}${path}`

function html(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}
function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } })
}
function stream(next: () => Uint8Array | Promise<Uint8Array>): Response {
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(await next())
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/html' } })
}

describe('what a page says', () => {
  test('title, words and picture of its head: plain text, without marks that turn the direction', async () => {
    const preview = await fetchPreview(at('/loja'), network)
    expect(preview).toMatchObject({ title: 'Pães & café', text: 'Todo dia' })
    expect(preview?.thumb).toStartWith('data:image/webp;base64,')
  })
  test('in the charset it says, or none that is known', async () => {
    expect((await fetchPreview(at('/antiga'), network))?.title).toBe('Promoção')
    expect((await fetchPreview(at('/estranha'), network))?.title).toBe('Olá')
  })
  test('through a redirect; not through four, and not to an address inside', async () => {
    expect((await fetchPreview(at('/desvio'), network))?.title).toBe('Pães & café')
    expect(await fetchPreview(at('/laço'), network)).toBeNull()
    expect(requests.filter(path => path === '/laço')).toHaveLength(4)
    expect(await fetchPreview(at('/dentro'), network)).toBeNull()
  })
  test.each(['/arquivo', '/erro', '/bomba', '/aspas', '/sem-fim'])('nothing of %s', async path => {
    expect(await fetchPreview(at(path), network)).toBeNull()
  })
  test('one that is nested without end is read to half a megabyte', async () => {
    expect(await fetchPreview(at('/funda'), network)).toBeNull()
  })
  test('one that trickles is left when its time is over', async () => {
    expect(await fetchPreview(at('/lenta'), { ...network, ms: 300 })).toBeNull()
  })
  test('a name that leads inside is not requests, at once or a moment later', async () => {
    const before = requests.length
    expect(await fetchPreview(at('/loja'), { resolve: network.resolve })).toBeNull()
    expect(await fetchPreview(`http://127.0.0.1:${site.port}/loja`, {})).toBeNull()
    expect(requests).toHaveLength(before)
  })
})

test.each([
  ['veja https://loja.com.br/pao-de-queijo?cor=azul', 'https://loja.com.br/pao-de-queijo?cor=azul'],
  ['*www.loja.com.br*', 'www.loja.com.br'],
  ['youtube https://youtu.be/dQw4w9WgXcQ e https://b.com', 'https://youtu.be/dQw4w9WgXcQ'],
  ['https://a.com/reset?token=1', null],
  ['https://a.com/convite/3f2a9c41-8d7b-4c1e-9a55-0f6de1b2c3d4', null],
  ['https://docs.example.com/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789/edit', null],
  ['https://ana:senha@a.com', null],
  ['http://192.168.0.1/', null],
  ['http://[::1]/', null],
  ['http://roteador.local/', null],
  ['ftp://a.com sem nada', null],
  ['```https://a.com```', null],
])('of “%s” is asked %p', (body, address) => {
  expect(findPreviewAddress(body)).toBe(address)
})

test('what the sender’s phone says is of an address in the text, or nothing', () => {
  const thumbnail = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2])
  const fields = { address: 'https://a.com', title: ' Loja\u202e\n ', description: null, thumbnail }
  const thumb = `data:image/jpeg;base64,${thumbnail.toString('base64')}`
  expect(toLinkPreview('veja https://a.com', fields)).toEqual({ address: 'https://a.com', title: 'Loja', thumb })
  expect(toLinkPreview('veja https://b.com', fields)).toBeUndefined()
  expect(toLinkPreview('javascript:alert(1)', { ...fields, address: 'javascript:alert(1)' })).toBeUndefined()
  const odd = { ...fields, thumbnail: Buffer.from('<svg onload=alert(1)>') }
  expect(toLinkPreview('https://a.com', odd)).toEqual({ address: 'https://a.com', title: 'Loja' })
})

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const parts: Parts = Object.assign(Object.create(null), { db, ring: () => {} })
const queueId = await makeQueue(db, 'Vendas')
const other = await makeQueue(db, 'Financeiro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await makePerson(db, { name: 'Rafael', profile: 'user', queueIds: [other] })
const [marina, bruna, rafael] = [await server.as('Marina'), await server.as('Bruna'), await server.as('Rafael')]
const whatsappId = await makeConnection(db, 'Loja')
const contactId = await makeContact(db, 'Dona Lúcia')
const ticketId = await makeTicket(db, { contactId, whatsappId, queueId, userId: brunaId, status: 'open' })
const link = async (id: number) =>
  (await sql<{ link: unknown }[]>`select details->'link' as link from message where id = ${id}`)[0]?.link ?? null

describe('in a conversation', () => {
  test('linkPreviews: off, nothing is asked for and nothing waits; on, once a day and for all', async () => {
    const before = requests.length
    const first = await makeMessage(db, ticketId, `Olhe ${at('/um')}`)
    await previewLink(parts, first, network)
    expect([requests.length - before, await link(first)]).toEqual([0, null])
    expect((await marina.call('PUT', '/settings/linkPreviews', { value: 'enabled' })).status).toBe(200)
    await previewLink(parts, first, network)
    const second = await makeMessage(db, ticketId, at('/um'))
    await previewLink(parts, second, network)
    expect(await link(first)).toEqual({ address: at('/um'), title: 'Página /um' })
    expect(await link(second)).toEqual(await link(first))
    expect(requests.slice(before)).toEqual(['/um'])
    // A day later it is asked again, and what was known is gone.
    await sql`update link_preview set fetched_at = now() - interval '25 hours'`
    await sweepTokens(db)
    expect(await sql`select 1 from link_preview`).toHaveLength(0)
  })

  test('is told as an update of the message, and shown to who may see the ticket alone', async () => {
    const id = await makeMessage(db, ticketId, at('/dois'))
    await previewLink(parts, id, network)
    const [event] = await sql<
      { text: string }[]
    >`select to_jsonb(e)::text as text from live_event e order by id desc limit 1`
    expect(event?.text).toContain('Página /dois')
    const read = async (person: typeof bruna) =>
      JSON.stringify((await person.call('GET', `/messages/${ticketId}`)).body)
    expect(await read(bruna)).toContain('Página /dois')
    expect(await read(rafael)).not.toContain('Página')
  })

  test('one changed, taken back or erased before has none; one changed later loses it', async () => {
    const changed = await makeMessage(db, ticketId, at('/três'))
    await sql`update message set is_deleted = true where id = ${changed}`
    await previewLink(parts, changed, network)
    expect(await link(changed)).toBeNull()
    // The server's own job would ask without this test's network, and might be first.
    await marina.call('PUT', '/settings/linkPreviews', { value: 'disabled' })
    const answer = await bruna.call<{ id: number }>('POST', `/messages/${ticketId}`, { body: at('/quatro') })
    await marina.call('PUT', '/settings/linkPreviews', { value: 'enabled' })
    expect(answer.status).toBeLessThan(300)
    const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select max(id)::float8 as id from message`
    await previewLink(parts, id, network)
    expect(await link(id)).toMatchObject({ title: 'Página /quatro' })
    await bruna.call('PUT', `/messages/${ticketId}`, { messageId: id, body: 'Sem link' })
    expect(await link(id)).toBeNull()
  })

  test('a host is asked twenty times a minute, and no more', async () => {
    await sql`delete from link_preview`
    await sql`insert into link_preview (digest, host) select g::text, ${host} from generate_series(1, 20) g`
    const id = await makeMessage(db, ticketId, at('/vinte-e-um'))
    await previewLink(parts, id, network)
    expect([requests.includes('/vinte-e-um'), await link(id)]).toEqual([false, null])
  })

  test('a message that comes asks for one with itself, unless it brought its own', async () => {
    await sql`create table preview_request (message_id bigint)`
    await sql`create function keep_request() returns trigger language plpgsql as $$ begin
      insert into preview_request values ((new.payload->>'messageId')::bigint); return null; end $$`
    await sql`create trigger keep_request after insert on graphile_worker._private_jobs
      for each row when (new.payload::jsonb ? 'messageId') execute function keep_request()`
    const inbox = await makeInbox(db)
    const peer = makePeer({ pn: '553198765001' })
    const own = { address: 'https://traz.example', title: 'Trazido' }
    await inbox.take(
      makeMessageEvent(peer, 'https://192.168.0.1/'),
      { ...makeMessageEvent(peer, 'https://traz.example'), details: { link: own } },
      makeMessageEvent(peer, 'https://pede.example'),
      makeMessageEvent(peer, 'https://velho.example', { at: Date.now() - 3_600_000 }),
    )
    const requested = await sql<{ body: string }[]>`
      select m.body from preview_request r join message m on m.id = r.message_id where m.whatsapp_id = ${inbox.whatsappId}`
    expect([...requested]).toEqual([{ body: 'https://pede.example' }])
    const [row] = await sql<
      { link: unknown }[]
    >`select details->'link' as link from message where body = 'https://traz.example'`
    expect(row?.link).toEqual(own)
  })
})
