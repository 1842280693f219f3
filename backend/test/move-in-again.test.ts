// A later dump of a desk that has moved in already (docs/decisions/0319): what came before may live here by now. And what an undo leaves of both.
import { beforeEach, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ticket } from '@balcao/contract'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { beginMove, goOn, readAgain, stopMove, undoMove } from '../src/operations/move-in/begin.ts'
import { startMoveInDesk } from './move-in-desk.ts'

const { db, sql, here, asker, marinaId, settle, as } = await startMoveInDesk()
const [shop] = await sql<{ id: number }[]>`select id from whatsapp`
const marina = await as('Marina')

beforeEach(async () => {
  await sql`delete from move_in`
  await sql`delete from ticket`
  await sql`delete from contact`
  await sql`delete from tag`
  await sql`delete from quick_answer`
  await sql`delete from queue where name = 'Entrega'`
  await sql`delete from "user" where name = 'Lia'`
  await sql`delete from live_event`
})

const ANA = '5531984507712'
const RUI = '5531984507713'
const AT = '2024-03-01 12:00:00+00'

type Line = readonly [id: string, ticket: string, day: string, body: string]

/** Of Ticketz, in which Ana's conversation is open and Rui's closed. */
function makeDump(lines: readonly Line[]): string {
  return [
    copy('Companies', 'id, name, createdAt', [['1', 'Loja', AT]]),
    copy('Users', 'id, name, email, createdAt, companyId', [['1', 'Lia', 'lia@loja.example', AT, '1']]),
    copy('Queues', 'id, name, color, companyId', [['1', 'Entrega', '#aa0000', '1']]),
    copy('Tags', 'id, name, color, companyId', [['1', 'VIP', '#00aa00', '1']]),
    copy('QuickMessages', 'id, shortcode, message, companyId', [['1', 'ola', 'Bom dia!', '1']]),
    copy('Contacts', 'id, name, number, companyId', [
      ['1', 'Ana', ANA, '1'],
      ['2', 'Rui', RUI, '1'],
    ]),
    copy('ContactTags', 'tagId, contactId', [['1', '1']]),
    copy('Tickets', 'id, status, contactId, createdAt, updatedAt, companyId', [
      ['1', 'open', '1', AT, AT, '1'],
      ['2', 'closed', '2', AT, AT, '1'],
    ]),
    copy(
      'Messages',
      'id, ticketId, body, fromMe, mediaType, createdAt, companyId',
      lines.map(([id, ticket, day, body]) => [id, ticket, body, 'f', 'chat', `2024-03-${day} 12:00:00+00`, '1']),
    ),
  ].join('')
}

function copy(table: string, columns: string, rows: readonly (readonly string[])[]): string {
  const names = columns.split(', ').map(name => `"${name}"`)
  return `COPY public."${table}" (${names.join(', ')}) FROM stdin;\n${rows.map(row => `${row.join('\t')}\n`).join('')}\\.\n\n`
}

async function bring(...lines: Line[]): Promise<number> {
  const dump = join(tmpdir(), `balcao-again-${crypto.randomUUID()}.sql`)
  await Bun.write(dump, makeDump(lines))
  try {
    const id = await beginMove(here, asker, { source: 'ticketz', from: { dump }, openTag: 'Em andamento' })
    expect((await settle(id)).state).toBe('ready')
    await goOn(here, asker, id)
    expect((await settle(id)).state).toBe('done')
    return id
  } finally {
    await rm(dump)
  }
}

async function undo(id: number): Promise<void> {
  await undoMove(here, asker, id)
  expect((await settle(id)).state).toBe('undone')
}

async function findTicket(number: string) {
  const [ticket] = await sql<{ id: number; last: string; at: string; version: number }[]>`
    select t.id, t.last_message as last, t.last_message_at as at, t.version::int as version from ticket t join contact c on c.id = t.contact_id
    where c.number = ${number}`
  if (!ticket) throw new Error('There is no ticket')
  return ticket
}

/** Somebody goes on with Ana's conversation here, and she writes. */
async function reopen(): Promise<number> {
  const { id } = await findTicket(ANA)
  expect((await marina.call<Ticket>('PUT', `/tickets/${id}`, { status: 'open', userId: marinaId })).status).toBe(200)
  const jid = `${ANA}@s.whatsapp.net`
  const message = { type: 'message', ref: { chat: jid, id: crypto.randomUUID(), fromMe: false } } as const
  await receiveEvents(db, { id: shop?.id ?? 0 }, [
    {
      ...{ ...message, chat: { jid, pn: ANA, group: false }, at: Date.now() },
      ...{ mediaType: 'chat', body: 'Cadê meu pedido?', replay: false, raw: null },
    } as const,
  ])
  expect((await findTicket(ANA)).last).toBe('Cadê meu pedido?')
  return id
}

test('what a later dump has stands behind newer words, leaves unread what is unread, and is told where the ticket lives', async () => {
  await bring(['A1', '1', '01', 'Oi'], ['B1', '2', '01', 'Bom dia'])
  const id = await reopen()
  const before = await findTicket(ANA)
  await sql`delete from live_event`
  await bring(
    ['A1', '1', '01', 'Oi'],
    ['B1', '2', '01', 'Bom dia'],
    ['A2', '1', '05', 'Tem?'],
    ['B2', '2', '05', 'E aí?'],
  )
  expect(await findTicket(ANA)).toEqual({ ...before, version: before.version + 1 })
  expect(await findTicket(RUI)).toMatchObject({ last: 'E aí?', version: 1 })
  expect(await sql`select 1 from live_event where payload::jsonb->>'event' = 'ticket'`).toHaveLength(1)
  expect((await marina.call('POST', `/tickets/${id}/read`)).status).toBe(204)
  expect(await sql`select body from message where not read and not from_me`).toEqual([] as never)
  expect(await sql`select 1 from outbox where payload->>'type' = 'read'`).toHaveLength(1)
})

test('undone, a later dump takes its messages from the conversations of the one before, also from one that lives', async () => {
  await bring(['A1', '1', '01', 'Oi'], ['B1', '2', '01', 'Bom dia'])
  await reopen()
  const later = await bring(['A2', '1', '05', 'Tem?'], ['B2', '2', '05', 'E aí?'])
  await sql`delete from live_event`
  await undo(later)
  const bodies = await sql<{ body: string }[]>`select body from message where media_type = 'chat' order by id`
  expect(bodies.map(({ body }) => body)).toEqual(['Oi', 'Bom dia', 'Cadê meu pedido?'])
  expect([(await findTicket(ANA)).last, (await findTicket(RUI)).last]).toEqual(['Cadê meu pedido?', 'Bom dia'])
  const events = await sql<{ name: string }[]>`
    select payload::jsonb->>'event' || ' ' || (payload::jsonb->>'action') as name from live_event where payload::jsonb->>'event' = 'appMessage'`
  expect(events.map(({ name }) => name)).toEqual(['appMessage delete'])
})

test('undone, it takes its tags from contacts that were here before, and pages hear what is gone', async () => {
  await sql`insert into contact (name, number) values ('Ana da padaria', ${ANA})`
  await sql`insert into contact_identity (contact_id, kind, value) select id, 'pn', ${ANA} from contact`
  await sql`insert into tag (name, color) values ('Fiado', '#123456')`
  await sql`insert into contact_tag (contact_id, tag_id) select c.id, t.id from contact c, tag t`
  const id = await bring(['A1', '1', '01', 'Oi'])
  const listTags = () => sql<{ name: string }[]>`
    select t.name from contact_tag x join tag t on t.id = x.tag_id join contact c on c.id = x.contact_id where c.number = ${ANA} order by 1`
  expect((await listTags()).map(({ name }) => name)).toEqual(['Em andamento', 'Fiado', 'VIP'])
  await sql`delete from live_event`
  await undo(id)
  expect((await listTags()).map(({ name }) => name)).toEqual(['Fiado'])
  expect((await sql<{ name: string }[]>`select name from tag`).map(({ name }) => name)).toEqual(['Fiado'])
  const events = await sql<{ name: string }[]>`
    select payload::jsonb->>'event' || ' ' || (payload::jsonb->>'version') as name from live_event
    where payload::jsonb->>'action' = 'delete' order by id`
  expect(events.map(({ name }) => name)).toEqual(['quickAnswer 2', 'tag 2', 'tag 2', 'user 2', 'queue 2'])
})

test('an undo that was stopped can only be undone to its end', async () => {
  const id = await bring(['A1', '1', '01', 'Oi'])
  // It waits for its first rows until it has been stopped.
  await sql.begin(async tx => {
    await tx`lock table move_in_row in access exclusive mode`
    await undoMove(here, asker, id)
    await stopMove(here, id)
  })
  expect((await settle(id)).state).toBe('undoStopped')
  await expect(goOn(here, asker, id)).rejects.toThrow('ERR_MOVE_IN_STATE')
  await expect(readAgain(here, asker, id)).rejects.toThrow('ERR_MOVE_IN_STATE')
  await undo(id)
  expect(await sql`select 1 from ticket`).toHaveLength(0)
})
