// Who gets a mass send, and who is left out with which reason (decisions-2 §15).
import { describe, expect, test } from 'bun:test'
import { RECIPIENT_STATES, type ResponseBody, type SendRecipient } from '@balcao/contract'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { readAllRecipients } from '../src/messaging/sends/recipients.ts'
import { RECIPIENT_WORDS } from '../src/messaging/sends/sheet-words.ts'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import { makeContact } from './desk-world.ts'
import { startMassSendsDesk } from './mass-sends-desk.ts'

const {
  db,
  sql,
  whatsapp,
  official,
  admin,
  tag,
  aCustomer,
  lucia,
  padaria,
  tagged,
  begin,
  one,
  recipientsOf,
  calculating,
  timePasses,
} = await startMassSendsDesk()

type LeftOutPage = ResponseBody<'POST /envioMassa/preview/excluded'>

test('decisions-2 §15: a sheet of many has everybody once, over the ends of its pages, who waits at the end', async () => {
  const id = await calculating({ contactsIds: [] })
  const people = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number) select 'Muitos ' || n, 'manual', '55319' || n from generate_series(1, 4003) n returning id`
  // All of one instant: their ids alone tell them apart.
  await sql`insert into send_recipient (send_id, contact_id, state, reason, at)
    select ${id}, id, case when row_number() over (order by id) <= 2002 then 'excluded' else 'waiting' end, null, '2026-03-01T02:30:00Z'
    from contact where name like 'Muitos %'`
  const all: SendRecipient[] = []
  for await (const page of readAllRecipients(db, id)) all.push(...page)
  expect(all.map(({ state }) => state)).toEqual([...Array(2002).fill('excluded'), ...Array(2001).fill('waiting')])
  expect(new Set(all.map(({ contact }) => contact.id)).size).toBe(people.length)
  await sql`delete from send`
  await sql`delete from contact where name like 'Muitos %'`
})

test('decisions-2 §15: every state and every reason has its word, in three languages', () => {
  const reasons = Object.keys(RECIPIENT_WORDS.pt.reasons)
  for (const { heads, states, reasons: named, other } of Object.values(RECIPIENT_WORDS)) {
    expect(Object.keys(named)).toEqual(reasons)
    expect(Object.keys(states)).toEqual(Object.keys(RECIPIENT_WORDS.pt.states))
    const words = [...heads, ...Object.values(states), ...Object.values(named), other]
    expect(words.filter(word => word.trim() === '')).toEqual([])
    expect(new Set(Object.values(states)).size).toBe(RECIPIENT_STATES.length)
  }
})

describe('decisions-2 §15: recipients are frozen, each exclusion with its reason', () => {
  test('groups, opted out, without a number, blocked, without WhatsApp, never wrote, merged', async () => {
    const group = await makeContact(db, 'Grupo', true)
    const out = await aCustomer('Pediu SAIR')
    const nameless = await makeContact(db, 'Sem número')
    const both = await makeContact(db, 'Sem número, e pediu SAIR')
    const [blocked, absent] = [await aCustomer('Bloqueou'), await aCustomer('Sem WhatsApp')]
    const silent = await aCustomer('Nunca escreveu', false)
    const merged = await aCustomer('Era outro')
    const elsewhere = await aCustomer('Bloqueou a outra conexão')
    await sql`update contact set opted_out_at = now() where id = any(${[out, both]}::int[])`
    // He was written to, and never answered.
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${silent}, ${whatsapp}, 'silent@s.whatsapp.net')`
    await sql`update contact set merged_into = ${lucia} where id = ${merged}`
    await aFailure(blocked, '131050')
    await aFailure(absent, 'ERR_WAPP_INVALID_CONTACT')
    await aFailure(padaria, '500')
    await aFailure(elsewhere, '131050', { by: official })
    const ids = [group, out, both, nameless, blocked, absent, silent, merged, padaria, elsewhere]
    const { body } = await begin({ contactsIds: ids.join(','), onlyWhoWrote: true })
    await snapshotRecipients(db)
    const rows = await sql`select contact_id, state, reason from send_recipient`
    const reasons = Object.fromEntries(rows.map(row => [row.contact_id, row.reason ?? row.state]))
    expect(reasons).toEqual({
      [group]: 'group',
      [out]: 'opted_out',
      [both]: 'opted_out',
      [nameless]: 'no_number',
      [blocked]: 'blocked',
      [absent]: 'no_whatsapp',
      [silent]: 'never_wrote',
      [merged]: 'merged',
      // Whoever it turned out to be, who was not named.
      [lucia]: 'waiting',
      [padaria]: 'waiting',
      [elsewhere]: 'waiting',
    })
    const shown = await one(body.id)
    expect(shown.total).toBe(3)
    expect(shown.excluded.map(({ reason }) => reason).sort()).toEqual(
      ['blocked', 'group', 'merged', 'never_wrote', 'no_number', 'no_whatsapp', 'opted_out'].sort(),
    )
    await sql`update contact set merged_into = null where id = ${merged}`
    await sql`delete from ticket where contact_id in (${blocked}, ${absent}, ${padaria}, ${elsewhere})`
  })

  test('blocked and without WhatsApp are those to whom nothing was said since, and Meta’s passing limits end by themselves', async () => {
    const customers = new Map<string, number>()
    for (const [name, code, days] of [
      ['Bloqueou', '131050', 30],
      ['Sem WhatsApp', '131026', 30],
      ['Limite de ontem', '131049', 1],
      ['Experiência de ontem', '130472', 1],
      ['Limite de antes', '131049', 8],
      ['Experiência de antes', '130472', 8],
      ['Bloqueou e voltou', '131050', 30],
      ['Sem WhatsApp e voltou', '131026', 30],
    ] as const) {
      const id = await aCustomer(name)
      customers.set(name, id)
      await aFailure(id, code, { days })
      // As one of before, whose end was another.
      await sql`insert into ticket (status, contact_id, whatsapp_id, last_message_at)
        values ('closed', ${id}, ${whatsapp}, now() - interval '90 days')`
      if (name.endsWith('voltou'))
        await sql`insert into ticket (status, contact_id, whatsapp_id, last_message_at) values ('closed', ${id}, ${whatsapp}, now())`
    }
    const ids = [...customers.values()]
    await begin({ contactsIds: [lucia, ...ids].join(',') })
    await snapshotRecipients(db)
    const rows = await sql<{ contactId: number; reason: string | null }[]>`
      select contact_id as "contactId", reason from send_recipient where contact_id = any(${ids}::int[])`
    const reasons = new Map(rows.map(row => [row.contactId, row.reason]))
    expect([...customers].map(([name, id]) => [name, reasons.get(id)])).toEqual([
      ['Bloqueou', 'blocked'],
      ['Sem WhatsApp', 'no_whatsapp'],
      ['Limite de ontem', 'blocked'],
      ['Experiência de ontem', 'blocked'],
      ['Limite de antes', null],
      ['Experiência de antes', null],
      ['Bloqueou e voltou', null],
      ['Sem WhatsApp e voltou', null],
    ])
    await sql`delete from ticket where contact_id = any(${ids}::int[])`
  })

  test('groups, and who turned out to be somebody else, are never among all: not even as somebody who is left out', async () => {
    const group = await makeContact(db, 'Grupo da feira', true)
    const merged = await aCustomer('Era a Lúcia')
    await sql`update contact set merged_into = ${lucia} where id = ${merged}`
    await begin({ contactsIds: '', allContacts: true })
    await snapshotRecipients(db)
    expect([...(await sql`select 1 from send_recipient where contact_id = any(${[group, merged]}::int[])`)]).toEqual([])
    expect([...(await sql`select 1 from send_recipient where contact_id = ${lucia}`)]).toHaveLength(1)
    await sql`update contact set merged_into = null where id = ${merged}`
  })

  test('a group alone is none to send to many', async () => {
    const group = await makeContact(db, 'Grupo da feira', true)
    const refused = await begin({ contactsIds: String(group) })
    expect([refused.status, refused.body.details?.[0]?.code]).toEqual([422, 'nobodyLeft'])
    await calculating({ contactsIds: [group] })
    await snapshotRecipients(db)
    expect([...(await sql`select state, reason from send_recipient`)]).toEqual([{ state: 'excluded', reason: 'group' }])
  })

  test('who has two of the tags gets it once', async () => {
    const [second] = await sql`insert into tag (name, color) values (${crypto.randomUUID()}, '#000000') returning id`
    await tagged(lucia, padaria)
    await sql`insert into contact_tag (contact_id, tag_id) values (${lucia}, ${second?.id})`
    await begin({ contactsIds: '', tagsIds: `${tag},${second?.id}` })
    await snapshotRecipients(db)
    expect(await sql`select contact_id from send_recipient order by 1`).toEqual([
      { contact_id: lucia },
      { contact_id: padaria },
    ] as never)
  })

  test('over the official API who is outside the window is left out, unless a template goes there; nobody left: refused', async () => {
    // Who wrote to another connection opened no window here, nor does its end there close one.
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours'
      where (contact_id, whatsapp_id) in ((${lucia}, ${official}), (${padaria}, ${whatsapp}))`
    const { body } = await begin({ whatsappId: official })
    await snapshotRecipients(db)
    expect((await recipientsOf(body.id)).recipients.map(({ contact, reason }) => [contact.id, reason])).toEqual([
      [lucia, 'window_closed'],
      [padaria, null],
    ])
    const refused = await begin({ whatsappId: official, contactsIds: String(lucia) })
    expect([refused.status, refused.body.details?.[0]?.code]).toEqual([422, 'nobodyLeft'])
    await sql`truncate send, send_recipient cascade`
    const template = {
      name: 'aviso',
      language: 'pt_BR',
      components: [{ type: 'BODY', text: 'Olá {{name}}' }],
      parameters: [{ type: 'body', parameters: [{ type: 'text', text: '{{name}}' }] }],
    }
    expect((await begin({ whatsappId: official, template })).status).toBe(201)
    await snapshotRecipients(db)
    await dispatchNext(db, { whatsappId: official, epoch: 0 }, 15_000)
    await timePasses()
    await sql`update outbox set state = 'done', done_at = now() - interval '1 hour'`
    await dispatchNext(db, { whatsappId: official, epoch: 0 }, 15_000)
    const sent = await sql`select payload from outbox order by contact_id`
    expect(sent.map(row => row.payload)).toEqual([
      {
        ...{ type: 'template', name: 'aviso', lang: 'pt_BR' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Dona Lúcia' }] }],
      },
      { type: 'text', text: 'Chegou a farinha, Padaria Estrela!' },
    ])
    expect(await sql`select body from message where media_type = 'template'`).toMatchObject([
      { body: 'Olá Dona Lúcia' },
    ])
    await sql`update contact_channel set last_inbound_at = now()`
  })

  test('who would be left out is listed before anything goes out, by reason, in pages, and nothing is stored', async () => {
    const out = [await aCustomer('Saiu 1'), await aCustomer('Saiu 2'), await aCustomer('Saiu 3')]
    const silent = await aCustomer('Calado', false)
    await sql`update contact set opted_out_at = now() where id = any(${out}::int[])`
    const form = { mensagem: 'oi', contactsIds: [...out, silent, lucia].join(','), onlyWhoWrote: true }
    const seen: [number, string][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor ? `?limit=2&cursor=${cursor}` : '?limit=2'
      const { status, body } = await admin.call<LeftOutPage>('POST', `/envioMassa/preview/excluded${query}`, form)
      expect([status, body.count]).toEqual([200, 4])
      seen.push(...body.contacts.map(({ contact, reason }): [number, string] => [contact.id, reason]))
      cursor = body.nextCursor
    }
    expect(seen).toEqual([...out.map((id): [number, string] => [id, 'opted_out']), [silent, 'never_wrote']])
    const one = await admin.call<LeftOutPage>('POST', '/envioMassa/preview/excluded?reason=never_wrote', form)
    expect([one.body.count, one.body.contacts.map(({ contact }) => contact.name)]).toEqual([1, ['Calado']])
    expect([...(await sql`select 1 from send`)]).toEqual([])
  })

  test('a file of somebody else’s cannot be named in a template', async () => {
    const parameters = [{ type: 'header', parameters: [{ type: 'image', image: { mediaId: 'alheio' } }] }]
    const template = { name: 'aviso', language: 'pt_BR', parameters }
    const { status, body } = await begin({ whatsappId: official, template })
    expect([status, body.error]).toEqual([404, 'ERR_NO_FILE_FOUND'])
  })

  test('all who were chosen opted out before it began: it is over, and says why', async () => {
    const id = await calculating({ contactsIds: [lucia, padaria] })
    await sql`update contact set opted_out_at = now()`
    await snapshotRecipients(db)
    expect(await one(id)).toMatchObject({
      ...{ state: 'done', stateReason: 'no_recipients', total: 0, enviados: 0 },
      endedAt: expect.any(String),
    })
  })

  test('its tag was deleted before it began: it stopped, and the administrators are told', async () => {
    const [gone] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Some', '#000000') returning id`
    await sql`insert into contact_tag (contact_id, tag_id) values (${lucia}, ${gone?.id ?? 0})`
    const id = await calculating({ tagsIds: [gone?.id] })
    await sql`delete from tag where id = ${gone?.id ?? 0}`
    await Promise.all([snapshotRecipients(db), snapshotRecipients(db), snapshotRecipients(db)])
    expect(await one(id)).toMatchObject({ state: 'stopped', stateReason: 'no_recipients' })
    const { body: bell } = await admin.call<ResponseBody<'GET /notifications'>>('GET', '/notifications?limit=5')
    expect(bell.news.items).toMatchObject([{ code: 'send_stopped', name: 'no_recipients', whatsappId: whatsapp }])
    expect((await admin.call('PUT', `/envioMassa/${id}/resume`)).status).toBe(409)
  })
})

/** The last that was said to somebody so many days ago failed, in a ticket that is closed. */
async function aFailure(contactId: number, code: string, { by = whatsapp, days = 0 } = {}): Promise<void> {
  await sql`
    with t as (insert into ticket (status, contact_id, whatsapp_id, last_message_state, last_message_at)
      values ('closed', ${contactId}, ${by}, 'failed', now() - ${days} * interval '1 day') returning id, last_message_at)
    insert into message (ticket_id, contact_id, whatsapp_id, seq, body, media_type, from_me, state, at, error_log)
      select id, ${contactId}, ${by}, 1, 'x', 'chat', true, 'failed', last_message_at, ${JSON.stringify({ code, message: '' })}::text::jsonb from t`
  await sql`update ticket set last_message_id = (select max(id) from message m where m.ticket_id = ticket.id)
    where last_message_state = 'failed' and contact_id = ${contactId}`
}
