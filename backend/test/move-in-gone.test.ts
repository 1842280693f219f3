// A dump brought again to a desk in which people have tidied up since: what came was deleted, merged or erased (docs/decisions/0319).
import { beforeEach, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MoveIn } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { beginMove, goOn, undoMove } from '../src/operations/move-in/begin.ts'
import { startErasure } from '../src/operations/privacy/begin.ts'
import { deleteMessages } from '../src/operations/privacy/messages.ts'
import { startMoveInDesk } from './move-in-desk.ts'
import { block } from './move-in-dump.ts'

const { db, sql, here, asker, marinaId, settle, as } = await startMoveInDesk()
await sql`update "user" set del_contact = true`
const marina = await as('Marina')

beforeEach(async () => {
  await sql`delete from move_in`
  await sql`delete from ticket`
  await sql`delete from contact`
  await sql`delete from tag`
  await sql`delete from queue where name = 'Entrega'`
})

const ANA = '5531984507712'
const LID = '158392934358280'
const AT = '2024-03-01 12:00:00+00'

interface Dump {
  /** How many tickets Ana has there, each with a message. */
  readonly tickets: number
  readonly hasAccount?: boolean
  readonly isOpen?: boolean
  /** In place of when the tickets began. */
  readonly createdAt?: string
  readonly updatedAt?: string
}

function makeDump({ tickets, hasAccount = false, isOpen = false, createdAt = AT, updatedAt = AT }: Dump): string {
  const ids = Array.from({ length: tickets }, (_, n) => `${n + 1}`)
  const tables: [string, string, string[][]][] = [
    ['Companies', 'id, name, createdAt', [['1', 'Loja', AT]]],
    ['Queues', 'id, name, color, companyId', [['1', 'Entrega', '#aa0000', '1']]],
    ['Tags', 'id, name, color, companyId', [['1', 'VIP', '#00aa00', '1']]],
    ['Contacts', 'id, name, number, companyId', [['1', 'Ana', ANA, '1']]],
    ['ContactTags', 'tagId, contactId', [['1', '1']]],
    ['WhatsappLidMaps', 'id, lid, contactId, companyId', hasAccount ? [['1', LID, '1', '1']] : []],
    [
      'Tickets',
      'id, status, contactId, queueId, createdAt, updatedAt, companyId',
      ids.map(id => [id, isOpen ? 'open' : 'closed', '1', '1', createdAt, updatedAt, '1']),
    ],
    [
      'Messages',
      'id, ticketId, body, fromMe, mediaType, createdAt, companyId',
      ids.map(id => [`A${id}`, id, `Mensagem ${id}`, 'f', 'chat', AT, '1']),
    ],
  ]
  return tables.flatMap(([name, columns, rows]) => [...block(name, columns.split(', '), rows)]).join('')
}

async function bring(form: Dump): Promise<MoveIn> {
  const dump = join(tmpdir(), `balcao-gone-${crypto.randomUUID()}.sql`)
  await Bun.write(dump, makeDump(form))
  try {
    const id = await beginMove(here, asker, { source: 'ticketz', from: { dump }, openTag: 'Em andamento' })
    expect((await settle(id)).state).toBe('ready')
    await goOn(here, asker, id)
    const move = await settle(id)
    expect([move.state, move.error]).toEqual(['done', null])
    return move
  } finally {
    await rm(dump)
  }
}

async function findId(table: 'tag' | 'queue' | 'contact'): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from ${sql(table)} where name in ('VIP', 'Entrega', 'Ana')`
  if (!row) throw new Error(`There is no ${table}`)
  return row.id
}

const remove = async (path: string) => expect((await marina.call('DELETE', path)).status).toBe(204)
const listTickets = () => sql<{ contact: string; queue: string | null; last: string }[]>`
  select c.name as contact, q.name as queue, t.last_message as last from ticket t join contact c on c.id = t.contact_id left join queue q on q.id = t.queue_id
  order by t.id`
const listTags = () => sql<{ name: string }[]>`select name from tag order by name`

test('a tag that was deleted stays away with the same dump', async () => {
  await bring({ tickets: 1 })
  await remove(`/tag/${await findId('tag')}`)
  const { counts } = await bring({ tickets: 1 })
  expect([counts.tag ?? 0, counts.ticket ?? 0, counts.message ?? 0]).toEqual([0, 0, 0])
  expect(await listTags()).toHaveLength(0)
})

test('a queue that was deleted comes again with a new ticket of it, and not before', async () => {
  await bring({ tickets: 1 })
  await remove(`/queue/${await findId('queue')}`)
  await bring({ tickets: 1 })
  expect(await sql`select 1 from queue where name = 'Entrega'`).toHaveLength(0)
  const later = await bring({ tickets: 2 })
  expect((await listTickets()).map(({ queue, last }) => [queue, last])).toEqual([
    [null, 'Mensagem 1'],
    ['Entrega', 'Mensagem 2'],
  ])
  await undoMove(here, asker, later.id)
  expect((await settle(later.id)).state).toBe('undone')
  expect(await sql`select 1 from queue where name = 'Entrega'`).toHaveLength(0)
})

test('a contact that was deleted comes again with a new ticket, without those that were deleted with it', async () => {
  await bring({ tickets: 1, hasAccount: true })
  await remove(`/contacts/${await findId('contact')}`)
  await bring({ tickets: 1, hasAccount: true })
  expect(await sql`select 1 from contact`).toHaveLength(0)
  expect(await sql`select 1 from contact_identity`).toHaveLength(0)
  await bring({ tickets: 2, hasAccount: true })
  expect((await listTickets()).map(({ contact, last }) => [contact, last])).toEqual([['Ana', 'Mensagem 2']])
})

test('whoever was merged gets later tickets and tags under who they are now', async () => {
  await bring({ tickets: 1 })
  const [older] = await sql<
    { id: number }[]
  >`insert into contact (name, name_source) values ('Ana da padaria', 'manual') returning id`
  const [id, survivor] = [await findId('contact'), older?.id ?? 0]
  await db.transaction(tx => mergeContacts(tx, survivor, id))
  await sql`delete from contact_tag`
  await bring({ tickets: 2, isOpen: true, hasAccount: true })
  expect((await listTickets()).map(({ contact }) => contact)).toEqual(['Ana da padaria', 'Ana da padaria'])
  expect(await sql`select 1 from message where contact_id <> ${survivor}`).toHaveLength(0)
  const tags = await sql<{ owner: number; name: string }[]>`
    select x.contact_id as owner, t.name from contact_tag x join tag t on t.id = x.tag_id order by t.name`
  expect(tags.map(({ owner, name }) => [owner === survivor, name])).toEqual([
    [true, 'Em andamento'],
    [true, 'VIP'],
  ])
  const accounts = await sql<{ owner: number }[]>`select contact_id as owner from contact_identity where kind = 'lid'`
  expect(accounts.map(({ owner }) => owner === survivor)).toEqual([true])
})

test('nothing of a person who was erased comes again', async () => {
  await bring({ tickets: 1, hasAccount: true })
  const contactId = await findId('contact')
  await db.transaction(async tx => {
    const begun = await startErasure(tx, { contactId, userId: marinaId, reason: '' })
    if (typeof begun === 'string') throw new Error(begun)
    await deleteMessages(tx, begun)
  })
  const { preview } = await bring({ tickets: 2, hasAccount: true, isOpen: true })
  expect(preview?.faults.map(({ kind, fault, count }) => `${kind} ${fault} ${count}`)).toEqual([
    'contact contactErased 1',
    'message ticketMissing 2',
    'ticket contactMissing 2',
  ])
  expect(JSON.stringify(preview)).not.toContain('Ana')
  expect((await listTickets()).map(({ last }) => last)).toEqual([''])
  for (const table of ['message', 'contact_identity', 'contact_tag'])
    expect(await sql`select 1 from ${sql(table)}`).toHaveLength(0)
})

test('undone, a move takes the account again that it gave a contact of before; not one that the contact wrote under since', async () => {
  await sql`insert into contact (name, number) values ('Ana da padaria', ${ANA})`
  await sql`insert into contact_identity (contact_id, kind, value) select id, 'pn', ${ANA} from contact`
  const listAccounts = () => sql<{ value: string }[]>`select value from contact_identity where kind = 'lid'`
  const first = await bring({ tickets: 1, hasAccount: true })
  expect((await listAccounts()).map(({ value }) => value)).toEqual([LID])
  await undoMove(here, asker, first.id)
  expect((await settle(first.id)).state).toBe('undone')
  expect(await listAccounts()).toHaveLength(0)
  const second = await bring({ tickets: 1, hasAccount: true })
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid) select c.id, w.id, ${`${LID}@lid`} from contact c, whatsapp w`
  await undoMove(here, asker, second.id)
  expect((await settle(second.id)).state).toBe('undone')
  expect(await listAccounts()).toHaveLength(1)
})

test('a ticket without a beginning begins with its first message', async () => {
  await bring({ tickets: 1, createdAt: '\\N', updatedAt: '2024-03-05 12:00:00+00' })
  const [ticket] = await sql<{ at: string; closedAt: string }[]>`
    select created_at as at, coalesce(closed_at, created_at) as "closedAt" from ticket`
  const days = [ticket?.at, ticket?.closedAt].map(at => new Date(at ?? '').toISOString().slice(0, 10))
  expect(days).toEqual(['2024-03-01', '2024-03-05'])
})
