// Dumps of other versions of other desks (docs/decisions/0319): what they have comes, what they lack is empty, and what is missing is said.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MoveIn, MoveInSource } from '@balcao/contract'
import { beginMove, goOn } from '../src/operations/move-in/begin.ts'
import { makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { startMoveInDesk } from './move-in-desk.ts'
import { makeDump } from './move-in-dump.ts'

const folder = await mkdtemp(join(tmpdir(), 'balcao-versions-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const { sql, here, asker, settle } = await startMoveInDesk()

async function read(source: MoveInSource, text: string, company?: string): Promise<MoveIn> {
  const dump = join(folder, `${crypto.randomUUID()}.sql`)
  await Bun.write(dump, text)
  return settle(await beginMove(here, asker, { source, from: { dump }, company, openTag: 'Em andamento' }))
}

async function bring(source: MoveInSource, text: string, company?: string): Promise<MoveIn> {
  const { id, state, error } = await read(source, text, company)
  expect([state, error]).toEqual(['ready', null])
  await goOn(here, asker, id)
  return settle(id)
}

function copy(table: string, columns: string, ...rows: readonly string[]): string {
  return `COPY public."${table}" (${columns}) FROM stdin;\n${rows.map(row => `${row.replaceAll('|', '\t')}\n`).join('')}\\.\n\n`
}

const AT = '2024-05-06 12:00:00'

const listMessages = (contact: string) => sql<{ body: string; media: string; user: string | null }[]>`
  select m.body, m.media_type as media, u.name as "user" from message m join contact c on c.id = m.contact_id
    left join "user" u on u.id = m.user_id where c.name = ${contact} order by m.ticket_id, m.seq`

const countKinds = ({ preview }: MoveIn) =>
  Object.fromEntries(preview?.kinds.map(({ kind, count, left }) => [kind, [count, left]]) ?? [])

describe('Chatwoot before its people had several accounts', () => {
  const ACCOUNTS = copy('accounts', 'id, name, created_at', `1|Floricultura|${AT}`, `2|Outra|${AT}`)
  const dump = [
    ACCOUNTS,
    copy('canned_responses', 'id, account_id, short_code, content', '1|1|floricultura|Das 8 às 17'),
    copy('contacts', 'id, name, email, phone_number, account_id', '1|Dona Rosa|\\N|+5531998760001|1'),
    copy(
      'conversations',
      'id, account_id, inbox_id, status, assignee_id, created_at, updated_at, contact_id',
      `1|1|1|1|1|${AT}|${AT}|1`,
    ),
    copy('inboxes', 'id, channel_id, account_id, name', '1|1|1|Página'),
    copy(
      'messages',
      'id, content, account_id, inbox_id, conversation_id, message_type, created_at, updated_at, private, user_id, status',
      `1|Tem rosas?|1|1|1|0|${AT}|${AT}|f|\\N|0`,
      `2|Temos!|1|1|1|1|${AT}|${AT}|f|1|0`,
    ),
    copy(
      'users',
      'id, name, email, account_id, created_at',
      `1|Íris|iris@flores.example|1|${AT}`,
      `2|Nilo|nilo@outra.example|2|${AT}`,
    ),
  ].join('')

  test('brings the people of its account, conversations and who wrote', async () => {
    const { state, counts } = await bring('chatwoot', dump, '1')
    expect([state, counts.user, counts.ticket, counts.message]).toEqual(['done', 1, 1, 2])
    expect([...(await listMessages('Dona Rosa'))]).toEqual([
      { body: 'Tem rosas?', media: 'chat', user: null },
      { body: 'Temos!', media: 'chat', user: 'Íris' },
    ])
    expect((await sql`select message from quick_answer where shortcut = 'floricultura'`).length).toBe(1)
    expect((await sql`select 1 from "user" where name = 'Nilo'`).length).toBe(0)
  })
})

describe('Whaticket with companies', () => {
  const message =
    'id, wid, body, "fromMe", ack, "mediaType", "ticketId", "contactId", "companyId", "isPrivate", "quotedMsgId", "createdAt"'
  const dump = [
    copy('Companies', 'id, name, "createdAt"', `1|Oficina|${AT}+00`),
    copy('Contacts', 'id, name, number, "companyId"', '1|Seu Jorge|5531998760002|1'),
    copy(
      'Messages',
      message,
      `1|3EB0A1|O carro ficou pronto?|f|0|conversation|1|1|1|f|\\N|${AT}+00`,
      `2|3EB0A2|Ficou sim|t|3|conversation|1|1|1|f|1|${AT}+00`,
      `3|PVT3|cobrar a peça|f|1|conversation|1|1|1|t|\\N|${AT}+00`,
      `4|3EB0A4|Sobre aquilo de ontem|f|0|conversation|2|1|1|f|2|${AT}+00`,
      `5|\\N|Atendimento encerrado|t|1|conversation|2|1|1|f|\\N|${AT}+00`,
      `6||Não saiu|t|1|conversation|2|1|1|f|\\N|${AT}+00`,
    ),
    copy('QuickMessages', 'id, shortcode, message, "companyId"', '1|/oficina|Abrimos às 8|1'),
    copy(
      'Tickets',
      'id, status, "contactId", "companyId", "createdAt", "updatedAt"',
      ...[1, 2].map(id => `${id}|closed|1|1|${AT}+00|${AT}+00`),
    ),
    copy(
      'UserRatings',
      'id, "ticketId", rate, "companyId", "createdAt"',
      `1|1|10|1|${AT}+00`,
      `2|1|6|1|${AT}+00`,
      `3|1|7|1|${AT}+00`,
    ),
  ].join('')

  test('brings messages that are numbered and have the provider’s id beside, with quotes and comments', async () => {
    expect((await bring('whaticket', dump)).state).toBe('done')
    const rows = await sql`
      select m.provider_id as id, m.body, m.media_type as media, m.from_me as "isOurs", q.body as quoted from message m
        join contact c on c.id = m.contact_id left join message q on q.id = m.quoted_id
        where c.name = 'Seu Jorge' and m.provider_id is not null order by m.ticket_id, m.seq`
    expect([...rows]).toEqual([
      { id: '3EB0A1', body: 'O carro ficou pronto?', media: 'chat', isOurs: false, quoted: null },
      { id: '3EB0A2', body: 'Ficou sim', media: 'chat', isOurs: true, quoted: 'O carro ficou pronto?' },
      { id: 'PVT3', body: 'cobrar a peça', media: 'comment', isOurs: true, quoted: null },
      { id: '3EB0A4', body: 'Sobre aquilo de ontem', media: 'chat', isOurs: false, quoted: 'Ficou sim' },
    ])
  })

  test('an answer to what the phone itself brought meanwhile shows that', async () => {
    const contactId = await makeContact(here.db, 'Dona Ivone')
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '5531998760009', ${contactId})`
    const [line] = await sql<{ id: number }[]>`select id from whatsapp where is_default`
    const messageId = await makeMessage(
      here.db,
      await makeTicket(here.db, { contactId, whatsappId: line?.id ?? 0, status: 'closed' }),
      'Tem vaga?',
    )
    await sql`update message set provider_id = '3EB0B1' where id = ${messageId}`
    const ivone = [
      copy('Companies', 'id, name, "createdAt"', `2|Garagem|${AT}+00`),
      copy('Contacts', 'id, name, number, "companyId"', '1|Dona Ivone|5531998760009|2'),
      copy(
        'Tickets',
        'id, status, "contactId", "companyId", "createdAt", "updatedAt"',
        `1|closed|1|2|${AT}+00|${AT}+00`,
      ),
      copy(
        'Messages',
        message,
        `1|3EB0B1|Tem vaga?|f|0|conversation|1|1|2|f|\\N|${AT}+00`,
        `2|3EB0B2|Tem uma|t|3|conversation|1|1|2|f|1|${AT}+00`,
      ),
    ].join('')
    expect((await bring('whaticket', ivone)).state).toBe('done')
    const rows =
      await sql`select body, quoted_id::int as quoted from message where contact_id = ${contactId} order by id`
    expect([...rows]).toEqual([
      { body: 'Tem vaga?', quoted: null },
      { body: 'Tem uma', quoted: messageId },
    ])
  })

  test('takes the number of a message for no id of the provider’s', async () => {
    const rows = await sql`
      select m.body from message m join contact c on c.id = m.contact_id
        where c.name = 'Seu Jorge' and m.provider_id is null order by m.seq`
    expect(rows.map(({ body }) => body)).toEqual(['Atendimento encerrado', 'Não saiu'])
  })

  test('counts marks of zero to ten as promoters, passives and detractors here', async () => {
    const rows = await sql<{ rate: number }[]>`
      select r.rate from rating r join contact c on c.id = r.contact_id where c.name = 'Seu Jorge' order by r.id`
    expect(rows.map(({ rate }) => rate)).toEqual([5, 3, 4])
  })
})

describe('columns that nobody knows', () => {
  const dump = [
    copy('Contacts', 'id, name, phone', '1|Ana|5531998760003', '2|Rui|5531998760004'),
    copy('Messages', 'id, body, "fromMe", "ticket_id", "createdAt"', `A|oi|f|1|${AT}`),
    copy('Tickets', 'id, status, "contactId", "createdAt", "updatedAt"', `1|closed|1|${AT}|${AT}`),
    copy('Tags', 'id, title', '1|VIP'),
  ].join('')
  test.each(['whaticket', 'ticketz'] as const)(
    'of %s are said to be missing, each kind with its number',
    async source => {
      const move = await read(source, dump)
      expect(countKinds(move)).toMatchObject({ contact: [0, 2], ticket: [0, 1], message: [0, 1], tag: [0, 1] })
      expect(move.preview?.faults.map(({ kind, fault, count }) => `${kind} ${fault} ${count}`).sort()).toEqual([
        ...['contact numberMissing 2', 'message ticketMissing 1', 'tag nameMissing 1', 'ticket contactMissing 1'],
      ])
    },
  )
})

test('progress grows with what is written, to its end', async () => {
  const { id, total } = await read('ticketz', [...makeDump(400)].join(''))
  await sql`create table seen_progress (n serial, done int)`
  await sql`create function note_progress() returns trigger language plpgsql as $$ begin
    insert into seen_progress (done) values (new.done); return new; end $$`
  await sql`create trigger note_progress after update of done on move_in for each row execute function note_progress()`
  await goOn(here, asker, id)
  expect(await settle(id)).toMatchObject({ state: 'done', done: total, total })
  const seen = (await sql<{ done: number }[]>`select done from seen_progress order by n`).map(({ done }) => done)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(new Set(seen).size).toBeGreaterThan(5)
  expect(seen.at(-1)).toBe(total)
})
