// What names a person, a queue, a tag or a connection does not keep one that went away, and does not stand still for it (decisions-2 §22).
// The columns come from the database itself and the settings from the contract: a new one has to be said here what it is.
import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SETTINGS } from '@balcao/contract'
import { pickNextAgent } from '../src/desk/queues/agent-turns.ts'
import { resolveAssignee } from '../src/desk/users/assignee.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { clearSettingsCache, readSettings } from '../src/policy/settings/read.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { makeSheetFile } from './sheet-files.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

/**
 * What each column that refers to one of these is. `names` says what happens next, and must not name who is gone; the rest says what was, is
 * of the one that went, or tells by itself that it is gone.
 */
const COLUMNS: Readonly<Record<Thing, Readonly<Record<string, 'names' | 'rest'>>>> = {
  queue: {
    'contact_redirect.queue_id': 'names',
    'question.queue_id': 'names',
    'queue_turn.queue_id': 'names',
    'user_queue.queue_id': 'names',
    'user_substitute.queue_id': 'names',
    'whatsapp_queue.queue_id': 'names',
  },
  tag: { 'contact_tag.tag_id': 'names', 'schedule_tag.tag_id': 'names' },
  user: {
    'contact_redirect.user_id': 'names',
    'push_subscription.user_id': 'names',
    'queue_turn.user_id': 'names',
    'user_queue.user_id': 'names',
    'user_substitute.substitute_id': 'names',
    'user_substitute.user_id': 'names',
    'chat.calling_user_id': 'rest',
    'chat.user_id': 'rest',
    'chat_member.user_id': 'rest',
    'chat_message.sender_id': 'rest',
    'contact_merge.user_id': 'rest',
    'job.user_id': 'rest',
    'move_in.user_id': 'rest',
    'message.user_id': 'rest',
    'message_edit.user_id': 'rest',
    'message_mention.user_id': 'rest',
    'number_check.user_id': 'rest',
    'open_page.user_id': 'rest',
    'privacy_erasure.user_id': 'rest',
    'protocol.user_id': 'rest',
    'quick_answer.user_id': 'rest',
    'quick_answer_use.user_id': 'rest',
    'rating.user_id': 'rest',
    'refresh_token.user_id': 'rest',
    'schedule.state_user_id': 'rest',
    'schedule.user_id': 'rest',
    'send.state_user_id': 'rest',
    'send.user_id': 'rest',
    'api_token.user_id': 'rest',
    'setting.user_id': 'rest',
    'socket_token.user_id': 'rest',
    'ticket.user_id': 'rest',
    'ticket_follower.user_id': 'names',
    'ticket_pin.user_id': 'rest',
  },
  whatsapp: {
    'user.whatsapp_id': 'names',
    'whatsapp_queue.whatsapp_id': 'names',
    'contact_channel.whatsapp_id': 'rest',
    'message.whatsapp_id': 'rest',
    'number_check.whatsapp_id': 'rest',
    'outbox.whatsapp_id': 'rest',
    'phone_book.whatsapp_id': 'rest',
    'rating.whatsapp_id': 'rest',
    'raw_event.whatsapp_id': 'rest',
    'schedule.whatsapp_id': 'rest',
    'send.whatsapp_id': 'rest',
    'send_clock.whatsapp_id': 'rest',
    'ticket.whatsapp_id': 'rest',
    'whatsapp_auth.whatsapp_id': 'rest',
    'whatsapp_command.whatsapp_id': 'rest',
    'whatsapp_count.whatsapp_id': 'rest',
    'whatsapp_status.whatsapp_id': 'rest',
  },
}

/**
 * Columns that name one without a foreign key: `past` is what was, the rest stays when its thing goes, and the test that is named says what
 * follows from that.
 */
const UNBOUND: Readonly<Record<string, 'past' | readonly [file: string, title: string]>> = {
  'api_token.queue_ids': ['api-tokens', 'with the last of its queues'],
  'quick_answer.queue_id': ['quick-answers', 'stays when its queue goes, for administrators alone'],
  'ticket.queue_id': ['queues', 'is refused with the counts while tickets that are not closed use it'],
  'webhook.connection_ids': [
    'webhooks-out',
    'only of the chosen connections and queues, and of nothing once they are gone',
  ],
  'webhook.queue_ids': ['webhooks-out', 'only of the chosen connections and queues, and of nothing once they are gone'],
  'chat.last_message_user_id': 'past',
  'figure_change.queue_id': 'past',
  'figure_change.user_id': 'past',
  'figure_change.whatsapp_id': 'past',
  'figure_contact.queue_id': 'past',
  'figure_contact.user_id': 'past',
  'figure_day.queue_id': 'past',
  'figure_day.user_id': 'past',
  'figure_day.whatsapp_id': 'past',
  'log_entry.queue_id': 'past',
  'log_entry.user_id': 'past',
  'log_entry.whatsapp_id': 'past',
  'media.user_id': 'past',
  'rating.queue_id': 'past',
  'ticket_answer.queue_id': 'past',
  'ticket_answer.user_id': 'past',
  'ticket_figure.queue_id': 'past',
  'ticket_figure.user_id': 'past',
  'ticket_figure.whatsapp_id': 'past',
  'ticket_span.queue_id': 'past',
  'ticket_span.user_id': 'past',
  'ticket_tally.queue_id': 'past',
  'ticket_tally.user_id': 'past',
  'webhook_event.connection_id': 'past',
  'webhook_event.queue_id': 'past',
}

/** Columns of JSON, where ids stand in values: `none` holds none of these, the rest as in `UNBOUND`. */
const IN_JSON: Readonly<Record<string, 'none' | 'past' | readonly [file: string, title: string]>> = {
  'contact_merge.before': ['names-gone', 'and a merge that is taken back gives back nothing that went'],
  'first_steps.rows': ['first-steps', 'what was changed or is used stays, and what is there already is not made again'],
  ...setKind('past', 'api_request.answer job.mark job.params live_event.audience log_entry.params message.reactions'),
  ...setKind('past', 'message.system send.recipients webhook_cursor.connection_states webhook_event.data'),
  ...setKind(
    'none',
    'chat_message.media contact.extra_info job.counts job_error.cells link_preview.preview message.raw',
  ),
  ...setKind('none', 'message.details message.error_log message.media message.member_mentions message.quote send.file'),
  ...setKind(
    'none',
    'message.template_data move_in.counts move_in.mark move_in.preview move_in_row.record outbox.payload',
  ),
  ...setKind(
    'none',
    'privacy_erasure.counts privacy_erasure.mark privacy_erasure.traces schedule.program send.template',
  ),
  ...setKind('none', 'schedule.template typebot_session.asked whatsapp.config whatsapp.news whatsapp.trouble'),
  ...setKind('none', 'whatsapp_auth.value whatsapp_command.answer'),
}

function setKind<K extends 'none' | 'past'>(kind: K, columns: string): Record<string, K> {
  return Object.fromEntries(columns.split(' ').map(column => [column, kind]))
}

type Thing = 'queue' | 'tag' | 'user' | 'whatsapp'
const THINGS = ['queue', 'tag', 'user', 'whatsapp'] as const

/** Settings that name somebody. */
const PERSONAL = Object.entries(SETTINGS).flatMap(([key, { kind }]) => (kind === 'person' ? [key] : []))

const ids = { queue: 0, other: 0, tag: 0, user: 0, stays: 0, whatsapp: 0, contact: 0 }

await makePerson(db, { name: 'Marina', profile: 'admin' })
await makeConnection(db, 'A que fica')
await sql`update whatsapp set is_default = true`
const marina = await server.as('Marina')

/** One of each, and everything that can name them does. */
beforeEach(async () => {
  // What the test before set in motion may still read: who loses the deadlock begins again.
  await runInTransaction(db, tx => getSql(tx)`truncate ticket, contact, schedule, queue, tag, question cascade`)
  await sql`delete from setting`
  clearSettingsCache(db)
  const n = crypto.randomUUID().slice(0, 8)
  ids.queue = await makeQueue(db, `Vendas ${n}`)
  ids.other = await makeQueue(db, `Suporte ${n}`)
  ids.user = await makePerson(db, { name: `Carlos${n}`, profile: 'user', queueIds: [ids.queue, ids.other] })
  ids.stays = await makePerson(db, { name: `Bruna${n}`, profile: 'user', queueIds: [ids.queue, ids.other] })
  ids.whatsapp = await makeConnection(db, `Linha ${n}`)
  ids.contact = await makeContact(db, 'Padaria Estrela')
  const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Recorrente', '#123456') returning id`
  ids.tag = tag?.id ?? 0
  await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${ids.contact}, ${ids.queue}, ${ids.user})`
  await sql`insert into push_subscription (user_id, family, endpoint, p256dh, auth, language)
    values (${ids.user}, gen_random_uuid(), ${`https://push.example.com/${n}`}, 'a', 'b', 'pt')`
  await sql`insert into queue_turn (queue_id, user_id) values (${ids.queue}, ${ids.user})`
  await sql`insert into user_substitute (user_id, queue_id, substitute_id) values (${ids.user}, ${ids.queue}, ${ids.stays}), (${ids.stays}, ${ids.queue}, ${ids.user})`
  await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${ids.whatsapp}, ${ids.queue})`
  await sql`insert into question (pergunta, resposta, position, queue_id) values ('Abre sábado?', 'Abre', 1, ${ids.queue})`
  await sql`insert into contact_tag (contact_id, tag_id) values (${ids.contact}, ${ids.tag})`
  await sql`
    with s as (insert into schedule (recurrence, send_time, send_on, message) values ('once', '', '2099-01-01', 'Oi') returning id)
    insert into schedule_tag (schedule_id, tag_id) select id, ${ids.tag} from s`
  await sql`update "user" set whatsapp_id = ${ids.whatsapp} where id = ${ids.stays}`
  const followed = await makeTicket(db, {
    contactId: await makeContact(db, 'Acompanhada'),
    whatsappId: ids.whatsapp,
    status: 'closed',
    queueId: null,
  })
  await sql`insert into ticket_follower (user_id, ticket_id) values (${ids.user}, ${followed})`
  for (const key of PERSONAL)
    expect((await marina.call('PUT', `/settings/${key}`, { value: String(ids.user) })).status).toBe(200)
})

/** How often each column and setting that says what happens next names it. */
async function namings(thing: Thing): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, kind] of Object.entries(COLUMNS[thing])) {
    const [table = '', column = ''] = name.split('.')
    if (kind !== 'names') continue
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from ${sql(table)} where ${sql(column)} = ${ids[thing]}`
    found[name] = row?.n ?? 0
  }
  for (const key of thing === 'user' ? PERSONAL : [])
    found[key] = (await sql`select 1 from setting where key = ${key} and value = ${String(ids.user)}`).length
  return found
}

test('every column of the database that refers to one of them is known here', async () => {
  const rows = await sql<{ thing: Thing; name: string }[]>`
    select f.relname as thing, t.relname || '.' || a.attname as name from pg_constraint c
      join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and f.relname in ${sql([...THINGS])}`
  const known = THINGS.flatMap(thing => Object.keys(COLUMNS[thing]).map(name => `${thing}: ${name}`))
  expect(rows.map(({ thing, name }) => `${thing}: ${name}`).sort()).toEqual(known.sort())
})

test('every column that names one of them without referring to it is known here, with the test of what follows', async () => {
  const rows = await sql<{ name: string }[]>`
    select t.relname || '.' || a.attname as name from pg_attribute a join pg_class t on t.oid = a.attrelid
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and a.attnum > 0
      and a.attname ~ '(^|_)(queue|tag|user|substitute|agent|whatsapp|connection)_ids?$'
      and not exists (select 1 from pg_constraint c where c.contype = 'f' and c.conrelid = t.oid and a.attnum = any(c.conkey))`
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(UNBOUND).sort())
  const ofJson = await sql<{ name: string }[]>`
    select t.relname || '.' || a.attname as name from pg_attribute a join pg_class t on t.oid = a.attrelid
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and a.attnum > 0
      and a.atttypid in ('jsonb'::regtype, 'json'::regtype)`
  expect(ofJson.map(({ name }) => name).sort()).toEqual(Object.keys(IN_JSON).sort())
  for (const [column, after] of Object.entries({ ...UNBOUND, ...IN_JSON })) {
    if (typeof after === 'string') continue
    const text = await Bun.file(join(import.meta.dir, `${after[0]}.test.ts`)).text()
    expect([column, text.includes(`test('${after[1]}'`)]).toEqual([column, true])
  }
})

describe('whoever is deleted is named by nothing that says what happens next:', () => {
  const PATHS = { queue: '/queue', tag: '/tag', user: '/users', whatsapp: '/whatsapp' } as const
  for (const thing of THINGS)
    test(thing, async () => {
      const before = await namings(thing)
      expect(Object.entries(before).filter(([, n]) => n === 0)).toEqual([])
      const { status, body } = await marina.call('DELETE', `${PATHS[thing]}/${ids[thing]}`)
      expect([status, body]).toMatchObject([204, ''])
      expect(await namings(thing)).toEqual(Object.fromEntries(Object.keys(before).map(name => [name, 0])))
    })

  test('and a merge that is taken back gives back nothing that went', async () => {
    const into = await makeContact(db, 'Padaria Estrela (fixo)')
    const merged = await marina.call<{ merge: { id: number } }>('POST', `/contacts/${into}/merge`, {
      contactId: ids.contact,
    })
    expect(merged.status).toBe(200)
    for (const path of [`/tag/${ids.tag}`, `/users/${ids.user}`, `/queue/${ids.queue}`])
      expect([path, (await marina.call('DELETE', path)).status]).toEqual([path, 204])
    expect((await marina.call('DELETE', `/contacts/merges/${merged.body.merge.id}`)).status).toBe(200)
    const rows = await sql`
      select tag_id as id from contact_tag where contact_id = ${ids.contact} union all
      select queue_id from contact_redirect where contact_id = ${ids.contact}`
    expect([...rows]).toEqual([])
  })

  test('and the log and the screens hear that a setting names nobody', async () => {
    const from = await sql<{ id: number }[]>`select coalesce(max(id), 0)::int as id from live_event`
    await marina.call('DELETE', `/users/${ids.user}`)
    const rows = await sql`
      select payload::jsonb->'setting' as setting from live_event where id > ${from[0]?.id ?? 0} and payload::jsonb->>'event' = 'settings'`
    expect([...rows]).toEqual(PERSONAL.map(key => ({ setting: { key, value: '' } })))
    const [entry] = await sql`select params from log_entry where action = 'setting.update' order by id desc limit 1`
    expect(entry?.params).toEqual({ key: 'userCron', from: String(ids.user), value: '' })
    expect((await readSettings(db)).userCron).toBeNull()
  })
})

describe('somebody inactive', () => {
  beforeEach(async () => {
    await sql`update "user" set active = false where id = ${ids.user}`
    await sql`update "user" set status = 'online' where id = ${ids.stays}`
  })

  test('is not named anew by any form, list or sheet', async () => {
    const whatsappId = ids.whatsapp
    const ticket = await makeTicket(db, { contactId: ids.contact, whatsappId, status: 'pending', queueId: ids.queue })
    await sql`delete from queue_turn`
    await sql`delete from contact_redirect`
    await sql`delete from user_substitute`
    await sql`delete from ticket_follower`
    await sql`delete from setting`
    await sql`update contact set number = '5531987654321' where id = ${ids.contact}`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '5531987654321', ${ids.contact})`
    const [person] = await sql<{ name: string; queue: string }[]>`
      select u.name, q.name as queue from "user" u, queue q where u.id = ${ids.user} and q.id = ${ids.queue}`
    const sheet = new FormData()
    sheet.set(
      'medias',
      makeSheetFile([
        ['numero', 'fila', 'usuario'],
        ['5531987654321', person?.queue ?? '', person?.name ?? ''],
      ]),
    )
    const row = { queueId: ids.queue, userId: ids.user }
    const away = await makePerson(db, {
      name: `Ana${crypto.randomUUID().slice(0, 6)}`,
      profile: 'user',
      queueIds: [ids.queue],
      active: false,
    })
    const calls = [
      ['PUT', `/queue/${ids.queue}`, { userIds: [ids.user] }],
      ['POST', '/queue', { name: 'Nova', color: '#abcdef', userIds: [ids.user] }],
      ['PUT', `/contacts/${ids.contact}`, { redirect: [row] }],
      ['POST', '/contacts/bulk', { ids: [ids.contact], action: 'delegate', ...row }],
      ['PUT', `/users/${away}`, { substitution: [{ name: ids.queue, value: ids.user, transfer: false }] }],
      ['POST', `/users/transfer/${ids.stays}`, { substituteId: ids.user, queueId: ids.queue }],
      ['PUT', `/tickets/${ticket}/followers/${ids.user}`, {}],
      ['PUT', `/tickets/${ticket}`, { status: 'open', userId: ids.user, queueId: ids.queue }],
      ['POST', '/tickets', { contactId: await makeContact(db, 'Outro'), whatsappId, ...row }],
      ...PERSONAL.map(key => ['PUT', `/settings/${key}`, { value: String(ids.user) }] as const),
    ] as const
    for (const [method, path, body] of calls) {
      const answer = await marina.call(method, path, body)
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
    }
    const looked = await marina.call<{ errors: { code: string }[] }>('POST', '/contacts/delegation?preview=true', sheet)
    expect(looked.body.errors.map(({ code }) => code)).toEqual(['redirectInactive'])
    const { 'user_queue.user_id': _, 'push_subscription.user_id': __, ...named } = await namings('user')
    expect(Object.values(named).every(n => n === 0)).toBe(true)
  })

  test('stays where they stood, so that a form can still be saved', async () => {
    const redirect = [{ queueId: ids.queue, userId: ids.user }]
    const calls = [
      ['PUT', `/queue/${ids.queue}`, { greetingMessage: 'Oi', userIds: [ids.user] }],
      ['PUT', `/contacts/${ids.contact}`, { email: 'padaria@estrela.example', redirect }],
      ['PUT', `/users/${ids.stays}`, { substitution: [{ name: ids.queue, value: ids.user, transfer: false }] }],
    ] as const
    for (const [method, path, body] of calls)
      expect([path, (await marina.call(method, path, body)).status]).toEqual([path, 200])
  })

  test('is passed over by the turns of a queue, whose only one they were: the substitute takes them, else everybody', async () => {
    const turn = () => db.transaction(async tx => pickNextAgent(tx, ids.queue, await readSettings(db), new Date()))
    const colleague = await makePerson(db, {
      name: `Davi${crypto.randomUUID().slice(0, 6)}`,
      profile: 'user',
      queueIds: [ids.queue],
    })
    await sql`update "user" set status = 'online' where id = ${colleague}`
    expect(await turn()).toBe(ids.stays)
    await sql`update queue set last_turn = ${ids.stays} where id = ${ids.queue}`
    expect(await turn()).toBe(ids.stays)
    // Not who could not see it.
    await sql`delete from user_queue where user_id = ${ids.stays} and queue_id = ${ids.queue}`
    expect(await turn()).toBe(colleague)
    await sql`insert into user_queue (user_id, queue_id) values (${ids.stays}, ${ids.queue})`
    // Who is here and offline has no substitute.
    await sql`update "user" set active = true, status = 'offline' where id = ${ids.user}`
    expect(await turn()).toBeNull()
    await sql`update "user" set active = false where id = ${ids.user}`
    await sql`delete from user_substitute`
    expect(await turn()).toBe(colleague)
    await sql`update "user" set active = true, status = 'offline' where id = ${ids.user}`
    expect(await turn()).toBeNull()
    await sql`update "user" set status = 'online' where id = ${ids.user}`
    expect(await turn()).toBe(ids.user)
  })

  test('has a substitute where a setting names them, and counts as nobody named without one', async () => {
    const taker = async () => {
      const settings = await readSettings(db)
      return db.transaction(tx => resolveAssignee(tx, ids.user, ids.queue, settings))
    }
    expect((await taker())?.id).toBe(ids.stays)
    await sql`delete from user_substitute`
    expect(await taker()).toBeNull()
  })
})
