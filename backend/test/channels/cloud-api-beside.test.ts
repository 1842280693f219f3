// What the official API tells besides messages of customers: the phone that shares the number, what was said before, and the account.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createCompanyPhone } from '@balcao/simulator/graph/company-phone'
import { startGraph } from '@balcao/simulator/graph/graph'
import type { Business, Customer } from '@balcao/simulator/graph/people'
import { listUnseenNews, markNewsSeen } from '../../src/desk/connections/news.ts'
import { loadConnections } from '../../src/desk/connections/present.ts'
import { createCloudApiDriver } from '../../src/messaging/channels/cloud-api/driver.ts'
import { toRecipient } from '../../src/messaging/channels/cloud-api/outgoing.ts'
import type { ChannelEvent, Driver } from '../../src/platform/channel/driver.ts'
import { createTestDatabase } from '../database.ts'
import { type InboxFixture, makeInbox, makeMessageEvent } from '../inbox-world.ts'
import { ChannelDesk } from './desk.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const HOUR = 3_600_000
let inbox: InboxFixture
let graph: Awaited<ReturnType<typeof startGraph>>
let business: Business
let lucia: Customer
let desk: ChannelDesk
let driver: Driver
let answers: number[] = []

const webhook = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const raw = new Uint8Array(await request.arrayBuffer())
    const answer = await driver.handleWebhook?.({ headers: request.headers, raw })
    answers.push(answer?.status ?? 404)
    return new Response(null, { status: answer?.status ?? 404 })
  },
})

beforeAll(async () => {
  graph = await startGraph({ port: 0, retryBaseMs: 10 })
  inbox = await makeInbox(db, 'cloud_api')
  await sql`update whatsapp set greeting_message = 'Olá!' where id = ${inbox.whatsappId}`
  const {
    GRAPH_URL: url,
    GRAPH_VERSION: version,
    GRAPH_APP_SECRET: appSecret,
    GRAPH_VERIFY_TOKEN: verifyToken,
  } = graph.env
  const config = { whatsappWebUrl: null, graph: { url, version, appSecret, verifyToken } }
  desk = await ChannelDesk.open(db, 'cloud_api', config, {
    phoneNumberId: '5501',
    wabaId: '9901',
    tokenMeta: 't',
  })
  const emit = async (events: readonly ChannelEvent[]) => void (await inbox.take(...events))
  driver = createCloudApiDriver(desk.connection, { ...desk.host, emit })
  const fields = { phoneNumberId: '5501', wabaId: '9901', token: 't', number: '+55 31 3333-0000', name: 'Loja Savassi' }
  business = graph.business({ ...fields, webhookUrl: `http://127.0.0.1:${webhook.port}` })
  lucia = graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia', waId: '553198762210' })
})
beforeEach(async () => {
  await inbox.empty()
  answers = []
})
afterAll(async () => {
  await graph.stop()
  await webhook.stop(true)
  await desk.close()
})

const phone = () => createCompanyPhone(business)
/** Everything under way has come in. */
async function arrived(): Promise<void> {
  await graph.idle()
  expect(answers.every(status => status === 200)).toBe(true)
}
const messages = () => sql<
  {
    body: string
    from_me: boolean
    media_type: string
    state: string
    read: boolean
    is_deleted: boolean
    media: { mime: string } | null
  }[]
>`
  select body, from_me, media_type, state, read, is_deleted, media from message order by at, id`
const tickets = () => sql<{ status: string; unread_messages: number; last_message: string }[]>`
  select status, unread_messages, last_message from ticket order by id`
const bodies = async () => (await messages()).map(row => row.body)

describe('the phone that shares the number', () => {
  test('what is typed there stands in the conversation as ours, and repeats of it do not', async () => {
    await lucia.send(business, { type: 'text', text: 'Tem pão?' })
    await arrived()
    business.lane.repeat = 1
    phone().type(lucia, 'Tem, quentinho')
    await arrived()
    expect((await messages()).map(row => [row.body, row.from_me])).toEqual([
      ['Tem pão?', false],
      ['Olá!', true],
      ['Tem, quentinho', true],
    ])
    expect(await tickets()).toMatchObject([{ status: 'pending', unread_messages: 0, last_message: 'Tem, quentinho' }])
  })

  test('what is changed or taken back there is changed and deleted here', async () => {
    await lucia.send(business, { type: 'text', text: 'Que horas?' })
    await arrived()
    const id = phone().type(lucia, 'Às oito')
    const other = phone().type(lucia, 'Errado')
    await arrived()
    phone().edit(lucia, id, 'Às nove')
    phone().revoke(lucia, other)
    await arrived()
    expect((await messages()).slice(2).map(row => [row.body, row.is_deleted])).toEqual([
      ['Às nove', false],
      ['Errado', true],
    ])
  })

  test('a name of its book is the contact’s, until it is taken out again', async () => {
    await lucia.send(business, { type: 'text', text: 'Oi' })
    phone().name(lucia, 'Lúcia da padaria')
    await arrived()
    await lucia.send(business, { type: 'text', text: 'Oi?' })
    await arrived()
    const name = async () => (await sql`select name from contact where not is_group`).map(row => row.name)
    expect(await name()).toEqual(['Lúcia da padaria'])
    phone().name(lucia, null)
    await arrived()
    await lucia.send(business, { type: 'text', text: 'Alô?' })
    await arrived()
    expect(await name()).toEqual(['Dona Lúcia'])
  })
})

describe('what was said before the number was connected', () => {
  const old = (minutes: number) => new Date(Date.now() - 48 * HOUR + minutes * 60_000)

  test('is kept, both sides of it, and opens, greets, rings and counts nothing; chunks may come in any order and twice', async () => {
    business.lane.repeat = 2
    phone().history(lucia, [{ text: 'Fica pronto amanhã', at: old(2), fromMe: true }], { phase: 0, chunk: 2 })
    phone().history(lucia, [{ text: 'E o bolo?', at: old(1) }], { phase: 0, chunk: 1 })
    await arrived()
    expect(await messages()).toMatchObject([
      { body: 'E o bolo?', from_me: false, state: 'received', read: true },
      { body: 'Fica pronto amanhã', from_me: true, state: 'read', read: true },
    ])
    expect([...(await tickets())]).toEqual([
      { status: 'closed', unread_messages: 0, last_message: 'Fica pronto amanhã' },
    ])
    const rows = await sql`select audience from live_event where payload like '%"action":"updateUnread"%'`
    expect(rows).toHaveLength(0)
    expect(await sql`select 1 from outbox`).toHaveLength(0)
  })

  test('stands before what is said now, which begins a conversation of its own and is greeted', async () => {
    phone().history(lucia, [{ text: 'Obrigada', at: old(1) }])
    await arrived()
    await lucia.send(business, { type: 'text', text: 'Bom dia' })
    await arrived()
    phone().history(lucia, [{ text: 'Mais antiga', at: old(0) }])
    await arrived()
    expect(await bodies()).toEqual(['Mais antiga', 'Obrigada', 'Bom dia', 'Olá!'])
    expect(await tickets()).toMatchObject([
      { status: 'closed', unread_messages: 0 },
      { status: 'pending', unread_messages: 1, last_message: 'Bom dia' },
    ])
  })

  test('one that comes in one go with what is said now keeps out of its way', async () => {
    const chat = { jid: lucia.waId, pn: lucia.waId, group: false }
    await inbox.take(
      { ...makeMessageEvent(chat, 'Antiga', { at: old(0).getTime() }), past: true },
      makeMessageEvent(chat, 'Nova'),
    )
    expect((await tickets()).map(row => [row.status, row.unread_messages])).toEqual([
      ['closed', 0],
      ['pending', 1],
    ])
  })

  test('a file of it is told later, and takes the place that was kept for it', async () => {
    phone().history(lucia, [{ id: 'wamid.file', text: '', at: old(1), placeholder: true }])
    await arrived()
    expect(await messages()).toMatchObject([{ media_type: 'unknown' }])
    phone().file(lucia, 'wamid.file', 'image', { id: 'f1', mime_type: 'image/jpeg', caption: 'O bolo' })
    await arrived()
    expect(await messages()).toMatchObject([{ media_type: 'image', body: 'O bolo', media: { mime: 'image/jpeg' } }])
    expect((await tickets()).map(row => row.status)).toEqual(['closed'])
  })
})

describe('the account', () => {
  const card = async () => {
    const [connection] = await loadConnections(db, [inbox.whatsappId])
    return connection?.news.map(({ code, about }) => [code, about]) ?? []
  }
  beforeEach(async () => {
    await sql`update whatsapp set news = '[]'`
  })

  const NEWS: readonly [field: string, value: Record<string, unknown>, told: (string | undefined)[]][] = [
    ['account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: [] }, ['account_restricted', undefined]],
    [
      'account_update',
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
      ['account_violation', 'ADULT'],
    ],
    [
      'account_update',
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
      ['account_disabled', undefined],
    ],
    [
      'account_update',
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
      ['account_reinstated', undefined],
    ],
    ['account_update', { event: 'PARTNER_REMOVED' }, ['phone_unlinked', undefined]],
    ['account_update', { event: 'SOMETHING_OF_TOMORROW' }, ['account_changed', undefined]],
    ['account_review_update', { decision: 'REJECTED' }, ['review_rejected', undefined]],
    ['account_alerts', { entity_id: 1, alert_info: { alert_type: 'OBA_APPROVED' } }, ['official_approved', undefined]],
    [
      'account_alerts',
      { alert_info: { alert_type: 'INCREASED_CAPABILITIES_ELIGIBILITY_FAILED' } },
      ['limit_refused', undefined],
    ],
    ['phone_number_quality_update', { event: 'DOWNGRADE', current_limit: 'TIER_1K' }, ['limit_lowered', '1000']],
    ['phone_number_quality_update', { event: 'FLAGGED', current_limit: 'TIER_UNLIMITED' }, ['quality_low', '∞']],
    ['phone_number_name_update', { decision: 'APPROVED', requested_verified_name: 'Loja' }, ['name_approved', 'Loja']],
    ['business_capability_update', { max_daily_conversation_per_phone: 250 }, ['limit_now', '250']],
    ['security', { event: 'PIN_RESET_REQUEST' }, ['pin_reset_asked', undefined]],
    [
      'message_template_status_update',
      { event: 'PAUSED', message_template_name: 'aviso' },
      ['template_paused', 'aviso'],
    ],
    [
      'message_template_status_update',
      { event: 'LOCKED', message_template_name: 'aviso' },
      ['template_changed', 'aviso'],
    ],
    [
      'message_template_quality_update',
      { new_quality_score: 'RED', message_template_name: 'aviso' },
      ['template_quality_low', 'aviso'],
    ],
    [
      'template_category_update',
      { new_category: 'MARKETING', message_template_name: 'aviso' },
      ['template_marketing', 'aviso'],
    ],
  ]

  test.each(NEWS.map(([field, value, told]) => ({ field, value, told })))(
    '$field: $told',
    async ({ field, value, told }) => {
      phone().news(field, value)
      await arrived()
      expect(await card()).toEqual([told])
      const [entry] = await sql`select action, params from log_entry`
      expect(entry).toMatchObject({ action: 'connection.news', params: { code: told[0] } })
      const events = await sql`select audience->>'to' as audience from live_event where payload like '%"newsSeenAt"%'`
      expect(new Set(events.map(row => row.audience))).toEqual(new Set(['admins']))
      expect(await tickets()).toHaveLength(0)
    },
  )

  test('a history that was declined is told; what nobody knows, and what belongs to another account, is not', async () => {
    phone().declineHistory()
    phone().news('flows', { event: 'FLOW_STATUS_CHANGE' })
    phone().news('phone_number_quality_update', { event: 'ONBOARDING' })
    phone().news('account_update', {})
    await arrived()
    expect((await card()).map(([code]) => code)).toEqual(['account_changed', 'history_declined'])
  })

  test('a limit that is told as it is now is raised or lowered by what was known before, however long ago', async () => {
    const limits = async () => (await card()).filter(([code]) => code?.startsWith('limit'))
    let n = 0
    const reportCapacity = (about: string) =>
      inbox.take({ type: 'news', id: `l${++n}`, code: 'limit_now', at: Date.now() + n, about })
    for (const about of ['250', '1000', '1000', '∞', '100000']) await reportCapacity(about)
    expect(await limits()).toEqual([
      ['limit_lowered', '100000'],
      ['limit_raised', '∞'],
      ['limit_now', '1000'],
      ['limit_raised', '1000'],
      ['limit_now', '250'],
    ])
    // Pushed off the card by other news it is still known.
    for (let other = 0; other < 10; other++)
      await inbox.take({ type: 'news', id: `o${other}`, code: 'template_changed', at: Date.now() + 100 + other })
    expect(await limits()).toEqual([])
    n += 200
    await reportCapacity('250')
    expect(await limits()).toEqual([['limit_lowered', '250']])
  })

  test('stands in the bells of administrators until one has seen it', async () => {
    await inbox.take({ type: 'news', id: 'bell', code: 'template_paused', at: Date.now() - 1000, about: 'aviso' })
    expect(await listUnseenNews(db, 30)).toMatchObject({
      count: 1,
      items: [{ code: 'template_paused', about: 'aviso', whatsappId: inbox.whatsappId, connection: 'Loja Savassi' }],
    })
    await db.transaction(tx => markNewsSeen(tx, inbox.whatsappId))
    expect(await listUnseenNews(db, 30)).toEqual({ count: 0, items: [] })
    // It happened before somebody looked, and the provider tells it only now.
    await inbox.take({ type: 'news', id: 'bell 2', code: 'template_disabled', at: Date.now() - HOUR })
    expect(await listUnseenNews(db, 0)).toEqual({ count: 1, items: [] })
  })

  test('the newest ten stand on the card, newest first', async () => {
    for (let n = 0; n < 12; n++)
      await inbox.take({
        type: 'news',
        id: `n${n}`,
        code: 'template_changed',
        at: Date.now() + n * 1000,
        about: String(n),
      })
    expect((await card()).map(([, about]) => about)).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'])
  })

  test('what is told late stands there too and rings, however much happened since', async () => {
    for (let n = 0; n < 10; n++)
      await inbox.take({
        type: 'news',
        id: `s${n}`,
        code: 'template_changed',
        at: Date.now() - n * 1000,
        about: String(n),
      })
    await db.transaction(tx => markNewsSeen(tx, inbox.whatsappId))
    await inbox.take({ type: 'news', id: 'late', code: 'template_disabled', at: Date.now() - 5 * HOUR, about: 'aviso' })
    expect((await card()).at(-1)).toEqual(['template_disabled', 'aviso'])
    expect(await card()).toHaveLength(10)
    expect(await listUnseenNews(db, 30)).toMatchObject({ count: 1, items: [{ code: 'template_disabled' }] })
  })

  test('who wants no advertising any more is marked, until he wants it again; what is older does not count', async () => {
    await lucia.send(business, { type: 'text', text: 'Oi' })
    phone().prefers(lucia, 'stop')
    await arrived()
    const mark = async () => (await sql`select opted_out_at from contact`).map(row => row.opted_out_at !== null)
    expect(await mark()).toEqual([true])
    const person = { jid: lucia.waId, pn: lucia.waId, group: false }
    await inbox.take({ type: 'preference', person, advertising: true, at: Date.now() - HOUR })
    expect(await mark()).toEqual([true])
    await inbox.take({ type: 'preference', person, advertising: true, at: Date.now() + 5000 })
    expect(await mark()).toEqual([false])
    await inbox.take({ type: 'preference', person, advertising: false, at: Date.now() + 2000 })
    expect(await mark()).toEqual([false])
    // Meta tells whole seconds: of two words in one of them the refusal stands, in whatever order they come.
    for (const words of [
      [true, false],
      [false, true],
      [false, true, false],
    ]) {
      const at = Math.ceil(Date.now() / 1000) * 1000 + 60_000 * (words.length + Number(words[0]))
      for (const advertising of words) await inbox.take({ type: 'preference', person, advertising, at })
      expect([words, await mark()]).toEqual([words, [true]])
    }
  })
})

describe('calls and groups', () => {
  test('a call nobody could answer is a line in the conversation', async () => {
    phone().missedCall(lucia)
    await arrived()
    const [line] = await messages()
    expect(line).toMatchObject({ media_type: 'call_log', body: 'voice', from_me: false })
  })

  test('what is said in a group stands in the group’s conversation, by who said it, and an answer goes there', async () => {
    business.lane.post({
      field: 'messages',
      value: {
        metadata: { phone_number_id: '5501' },
        contacts: [{ profile: { name: 'Dona Lúcia' }, wa_id: lucia.waId }],
        messages: [
          {
            from: lucia.waId,
            group_id: 'Z3JvdXA',
            id: 'wamid.g1',
            timestamp: '1790000000',
            type: 'text',
            text: { body: 'Oi, grupo' },
          },
        ],
      },
    })
    await arrived()
    const [row] = await sql`select t.is_group, c.is_group as group_contact, m.chat, a.name as author from message m
      join ticket t on t.id = m.ticket_id join contact c on c.id = m.contact_id join contact a on a.id = m.author_id`
    expect(row).toEqual({ is_group: true, group_contact: true, chat: 'Z3JvdXA@g.us', author: 'Dona Lúcia' })
    expect(await sql`select 1 from message where automatic`).toHaveLength(0)
    expect(toRecipient('Z3JvdXA@g.us')).toEqual({ recipient_type: 'group', to: 'Z3JvdXA' })
  })
})
