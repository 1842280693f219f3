// Every command of the contract leaves an entry in the activity log (decisions-2 §16), or stands below with the reason why it leaves none.
// Calls come from the contract's list: a new one that is in neither fails here.
import { afterAll, describe, expect, test } from 'bun:test'
import { endpoints, type LogAction } from '@balcao/contract'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { DATA_KEY, makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { addRow, MANUAL_LISTS } from './manual-lists.ts'
import { takeRounds } from './rounds.ts'
import { makeSheetFile } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const ai = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  async fetch(request) {
    const stream = (await request.text()).includes('"stream":true')
    const answer = { choices: [{ [stream ? 'delta' : 'message']: { content: 'Pediu desconto.' } }] }
    return stream ? new Response(`data: ${JSON.stringify(answer)}\n\n`) : Response.json(answer)
  },
})
afterAll(() => ai.stop(true))
const server = await startDeskServer({ AI_KEY: 'chave', AI_URL: ai.url.origin, DATA_KEY })
const { db } = server
const sql = db.$client

const queueId = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja Centro')
const officialId = await makeConnection(db, 'Oficial', 'cloud_api')
await sql`update whatsapp set status = 'CONNECTED', is_default = id = ${whatsappId}`
const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [queueId] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await sql`update "user" set add_contact = true, edit_contact = true, del_contact = true`
// Whoever owns a connection answers at once which code its phone is to be given.
await sql`create function answer_pairing() returns trigger language plpgsql as $$ begin
    if new.command = 'pair' then new.state := 'done'; new.answer := '"ABCD1234"'; end if; return new; end $$`
await sql`create trigger answer_pairing before insert on whatsapp_command for each row execute function answer_pairing()`
const marina = await server.as('Marina')
const values = { allowAgendador: 'enabled', userCreation: 'enabled', generateProtocol: 'enabled' }
expect((await marina.call('PUT', '/settings', { values })).status).toBe(200)
const tagId = await made('/tag', { name: 'Atacado', color: '#B8860B' })

type Command = Exclude<keyof typeof endpoints, `GET ${string}`>
/** What makes ready, and then the path and the body of the call. */
type Ready = () => Promise<readonly [path: string, body?: unknown, by?: SignedInPerson]>
type Logged = readonly [action: LogAction, ready: Ready]

/** What leaves no entry, and where it stands instead. */
const TRACELESS: Partial<Record<Command, string>> = {
  'POST /auth/login': 'a line of the server’s log, and a device among one’s own',
  'POST /auth/refresh_token': 'the same session goes on',
  'POST /auth/socket': 'the same session listens',
  'DELETE /auth/logout': 'whoever leaves ends the own session only; a line of the server’s log',
  'POST /tickets/:id/read': 'a reading mark',
  'POST /tickets/:id/unread': 'a reading mark',
  'POST /tickets/:id/mentions/seen': 'a reading mark',
  'PUT /tickets/:id/pin': 'how the own list is sorted; nothing of the company’s changes',
  'POST /quickAnswers/:id/use': 'how the own list is sorted; nothing of the company’s changes',
  'PUT /first-steps': 'a list of hints is put away, and taken up again',
  'POST /first-steps/preset': 'each queue, tag, quick answer and question that it adds has its own entry',
  'DELETE /first-steps/preset': 'each row that it removes has its own entry',
  'PUT /whatsapp/:id/news': 'a reading mark',
  'POST /chats/messages/read/:id': 'a reading mark',
  'POST /messages/:ticketId': 'a message is its own trace: who, when, and what was done with it',
  'PUT /messages/:ticketId': 'the message keeps what it said before',
  'POST /messages/vcard/:ticketId': 'a message is its own trace',
  'POST /messages/retry/:id': 'the message says when it was sent again',
  'POST /messages/react/:id': 'the message shows it, with whose it is',
  'POST /messages/download/:id': 'fetches a file anew that the message names',
  'PUT /uploads': 'nothing yet: what takes the file is logged, or is a message',
  'POST /move-in': 'nothing yet: what comes of it is logged when all has come',
  'PUT /move-in/:id/dump': 'nothing yet: parts of a file',
  'POST /move-in/:id/read': 'nothing yet: what would come is looked at',
  'POST /move-in/:id/write': 'logged when all has come',
  'POST /move-in/:id/stop': 'what came before is logged when all has come',
  'POST /move-in/:id/files': 'logged when all are fetched',
  'POST /move-in/:id/undo': 'logged when all has gone',
  'POST /chats/messages/get': 'reads',
  'POST /chats/messages/:chatId': 'a message is its own trace',
  'PUT /chats/messages/:chatId': 'a message is its own trace',
  'DELETE /chats/messages/:id': 'the message stays, as deleted by its author',
  'POST /log': 'is an entry itself, as reported',
  'POST /push/register': 'how the own device is told; nothing of the company’s changes',
  'POST /push/unregister': 'how the own device is told; nothing of the company’s changes',
  'POST /envioMassa/preview': 'reads',
  'POST /envioMassa/preview/excluded': 'reads',
  'POST /settings/:key/preview': 'reads',
}

const LOGGED: Partial<Record<Command, Logged>> = {
  ...Object.fromEntries(MANUAL_LISTS.flatMap(listCommands)),
  'POST /auth/terminal': ['user.addTerminal', async () => ['/auth/terminal', { name: 'notebook' }]],
  'DELETE /auth/devices/:id': ['user.endDevice', async () => [`/auth/devices/${await aTerminal()}`]],
  'POST /auth/signup': [
    'user.signUp',
    async () => ['/auth/signup', { name: 'Nova', email: `${unique()}@saojose.example`, password: PASS }, nobody()],
  ],
  'POST /users': ['user.create', async () => ['/users', aUserForm()]],
  'PUT /users/:id': ['user.update', async () => [`/users/${await aColleague()}`, { name: `Outra ${unique()}` }]],
  'DELETE /users/:id': ['user.delete', async () => [`/users/${await aColleague()}`, {}]],
  'POST /users/transfer/:id': [
    'user.transferTickets',
    async () => {
      await aTalk({ userId: brunaId })
      return [`/users/transfer/${brunaId}`, { substituteId: marinaId, queueId }]
    },
  ],
  'POST /users/reset/:id': ['user.resetPassword', async () => [`/users/reset/${await aColleague()}`]],
  'POST /users/picture/:id': [
    'user.changePicture',
    async () => [`/users/picture/${await aColleague()}`, aForm({ medias: aPicture() })],
  ],
  'POST /users/import/:userId': [
    'user.import',
    async () => {
      const rows = [
        ['nome', 'email', 'senha', 'perfil'],
        ['Ana', `${unique()}@saojose.example`, PASS, ''],
      ]
      return [`/users/import/${marinaId}`, aForm({ medias: makeSheetFile(rows) })]
    },
  ],
  'PUT /ticket2/:id': [
    'ticket.release',
    async () => [`/ticket2/${(await aTalk({ status: 'bot' })).ticketId}`, { status: 'pending' }],
  ],
  'POST /tickets': ['ticket.create', async () => ['/tickets', { contactId: await aCustomer(), whatsappId, queueId }]],
  'PUT /tickets/:id': [
    'ticket.close',
    async () => [`/tickets/${(await aTalk()).ticketId}`, { status: 'closed', onlyClose: true }],
  ],
  'POST /tickets/:id/ask': ['ticket.ask', async () => [`/tickets/${(await aTalk({ userId: brunaId })).ticketId}/ask`]],
  'PUT /tickets/:id/followers/:userId': [
    'ticket.follow',
    async () => [`/tickets/${(await aTalk()).ticketId}/followers/${brunaId}`],
  ],
  'DELETE /tickets/:id/followers/:userId': [
    'ticket.unfollow',
    async () => {
      const { ticketId } = await aTalk()
      await sql`insert into ticket_follower (user_id, ticket_id) values (${brunaId}, ${ticketId})`
      return [`/tickets/${ticketId}/followers/${brunaId}`]
    },
  ],
  'POST /tickets/next': [
    'ticket.accept',
    async () => {
      await aTalk({ status: 'pending' })
      return ['/tickets/next', {}]
    },
  ],
  'DELETE /tickets/:id': ['ticket.delete', async () => [`/tickets/${(await aTalk()).ticketId}`]],
  'DELETE /messages/:id': ['message.delete', async () => [`/messages/${await aComment()}`]],
  'POST /messages/forward/:id': [
    'message.forward',
    async () => [`/messages/forward/${(await aTalk()).messageId}`, { contacts: [(await aTalk()).contactId] }],
  ],
  'POST /meta/templates': [
    'message.template',
    async () => {
      const components = [{ type: 'BODY', text: 'Seu boleto está disponível.' }]
      const { ticketId } = await aTalk({ whatsappId: officialId })
      return ['/meta/templates', { ticketId, template: { name: 'boleto', language: 'pt_BR', components } }]
    },
  ],
  'POST /tickets/ai/assist/:id': [
    'ticket.assist',
    async () => {
      await marina.call('PUT', '/settings/aiAssist', { value: 'enabled' })
      return [`/tickets/ai/assist/${(await aTalk()).ticketId}`, { task: 'formal', text: 'oi' }]
    },
  ],
  'POST /tickets/ai/resume/:id': ['ticket.summarise', async () => [`/tickets/ai/resume/${(await aTalk()).ticketId}`]],
  'POST /messages/transcribe/:id': ['message.transcribe', async () => [`/messages/transcribe/${await aRecording()}`]],
  'POST /chats': [
    'chat.create',
    async () => ['/chats', { isGroup: true, groupName: 'Loja', users: [{ id: brunaId }] }],
  ],
  'PUT /chats/:id': [
    'chat.update',
    async () => {
      const id = await made('/chats', { isGroup: true, groupName: 'Loja', users: [{ id: brunaId }] })
      return [`/chats/${id}`, { users: [{ id: await aColleague() }] }]
    },
  ],
  'POST /whatsapp': ['connection.create', async () => ['/whatsapp', { name: unique(), api: 'baileys' }]],
  'PUT /whatsapp/:id': [
    'connection.update',
    async () => [`/whatsapp/${await makeConnection(db, unique())}`, { greetingMessage: 'Olá!' }],
  ],
  'DELETE /whatsapp/:id': ['connection.delete', async () => [`/whatsapp/${await makeConnection(db, unique())}`]],
  'POST /whatsappsession/:id': [
    'connection.start',
    async () => [`/whatsappsession/${await makeConnection(db, unique())}`],
  ],
  'PUT /whatsappsession/:id': [
    'connection.recreate',
    async () => [`/whatsappsession/${await makeConnection(db, unique())}`],
  ],
  'DELETE /whatsappsession/:id': [
    'connection.disconnect',
    async () => [`/whatsappsession/${await makeConnection(db, unique())}`],
  ],
  'POST /whatsapp/restart/': [
    'connection.restart',
    async () => ['/whatsapp/restart/', { whatsappId: await makeConnection(db, unique()) }],
  ],
  'DELETE /whatsapp/recreate/:id': [
    'connection.recreate',
    async () => [`/whatsapp/recreate/${await makeConnection(db, unique())}`],
  ],
  'POST /whatsapp/pair/:id': [
    'connection.pair',
    async () => [`/whatsapp/pair/${await makeConnection(db, unique())}`, { phone: '5531999990000' }],
  ],
  'POST /whatsapp/meow/pair/:id': [
    'connection.pair',
    async () => [`/whatsapp/meow/pair/${await makeConnection(db, unique())}`, { phone: '5531999990000' }],
  ],
  'DELETE /jobs/:id': ['job.cancel', async () => [`/jobs/${await aWaitingJob()}`]],
  'POST /log/export': ['log.export', async () => ['/log/export', {}]],
  'PUT /pergunta/order': [
    'pergunta.order',
    async () => {
      await made('/pergunta', aQuestion())
      return ['/pergunta/order', { ids: [await made('/pergunta', aQuestion())] }]
    },
  ],
  // No two queues have one colour.
  'POST /queue': ['queue.create', async () => ['/queue', { name: unique(), color: '#112233' }]],
  'PUT /queue/:id': [
    'queue.update',
    async () => [`/queue/${await makeQueue(db, unique())}`, { greetingMessage: 'Olá!' }],
  ],
  'DELETE /queue/:id': ['queue.delete', async () => [`/queue/${await makeQueue(db, unique())}`]],
  'POST /quickAnswers': ['quickAnswer.create', async () => ['/quickAnswers', aQuickAnswer()]],
  'PUT /quickAnswers/:id': [
    'quickAnswer.update',
    async () => [`/quickAnswers/${await made('/quickAnswers', aQuickAnswer())}`, aForm({ message: 'Até amanhã!' })],
  ],
  'DELETE /quickAnswers/:id': [
    'quickAnswer.delete',
    async () => [`/quickAnswers/${await made('/quickAnswers', aQuickAnswer())}`],
  ],
  'POST /privacy/:contactId/export': ['privacy.export', async () => [`/privacy/${await aCustomer()}/export`, {}]],
  'DELETE /privacy/:contactId': ['privacy.ask', async () => [`/privacy/${await aCustomer()}`, { confirm: 'APAGAR' }]],
  'POST /privacy/:contactId/undo': [
    'privacy.undo',
    async () => {
      const id = await aCustomer()
      await marina.call('DELETE', `/privacy/${id}`, { confirm: 'APAGAR' })
      return [`/privacy/${id}/undo`]
    },
  ],
  'PUT /protocolos/:id': [
    'protocol.update',
    async () => {
      const { ticketId } = await aTalk()
      return [`/protocolos/${await made('/protocolos', { ticketId })}`, { mensagem: 'Troca do produto' }]
    },
  ],
  'POST /protocolos': ['protocol.create', async () => ['/protocolos', { ticketId: (await aTalk()).ticketId }]],
  'POST /ticketNPS/export': ['rating.export', async () => ['/ticketNPS/export', {}]],
  'POST /api/messages/send': [
    'api.send',
    async () => {
      const { body } = await marina.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
      const program = nobody()
      program.token = body.value
      return ['/api/messages/send', { number: (await aTalk()).number, body: 'Saiu para entrega' }, program]
    },
  ],
  'POST /contacts': ['contact.create', async () => ['/contacts', { name: 'Nova', number: aNumber() }]],
  'PUT /contacts/:id': ['contact.update', async () => [`/contacts/${await aCustomer()}`, { name: unique() }]],
  'DELETE /contacts/:id': ['contact.delete', async () => [`/contacts/${await aCustomer()}`]],
  'POST /contact': ['contact.create', async () => ['/contact', { name: 'Nova', number: aNumber() }]],
  'POST /contacts/:id/merge': [
    'contact.merge',
    async () => [`/contacts/${await aCustomer()}/merge`, { contactId: await aCustomer() }],
  ],
  'DELETE /contacts/merges/:id': [
    'contact.unmerge',
    async () => {
      const { body } = await marina.call<{ merge: { id: number } }>('POST', `/contacts/${await aCustomer()}/merge`, {
        contactId: await aCustomer(),
      })
      return [`/contacts/merges/${body.merge.id}`]
    },
  ],
  'POST /contacts/import': [
    'contact.import',
    async () => {
      const rows = [
        ['nome', 'numero'],
        ['Ana Prado', aNumber()],
      ]
      return ['/contacts/import', aForm({ medias: makeSheetFile(rows) })]
    },
  ],
  'POST /contacts/export': ['contact.export', async () => ['/contacts/export', {}]],
  'POST /contacts/delegation': [
    'contact.delegate',
    async () => {
      const rows = [
        ['numero', 'fila', 'usuario'],
        [(await aTalk()).number, 'Financeiro', 'Bruna'],
      ]
      return ['/contacts/delegation', aForm({ medias: makeSheetFile(rows) })]
    },
  ],
  'POST /contacts/export/delegation': ['contact.export', async () => ['/contacts/export/delegation', {}]],
  'POST /contacts/clear': ['contact.clear', async () => ['/contacts/clear', { confirm: 'APAGAR' }]],
  'POST /contacts/bulk': [
    'contact.update',
    async () => ['/contacts/bulk', { ids: [await aCustomer()], action: 'tag', tagIds: [tagId] }],
  ],
  'POST /report/ticket': ['report.ticket', async () => ['/report/ticket', aPeriod()]],
  'POST /report/contact': ['report.contact', async () => ['/report/contact', aPeriod()]],
  'POST /report/queue': ['report.queue', async () => ['/report/queue', aPeriod()]],
  'POST /report/user': ['report.user', async () => ['/report/user', aPeriod()]],
  'POST /report/message': [
    'report.message',
    async () => ['/report/message', { ...aPeriod(), contactId: (await aTalk()).contactId }],
  ],
  'POST /agendamento': ['schedule.create', async () => ['/agendamento', await aSchedule()]],
  'PUT /agendamento/:id': [
    'schedule.update',
    async () => [`/agendamento/${await made('/agendamento', await aSchedule())}`, aForm({ title: 'Outro' })],
  ],
  'PUT /agendamento/:id/pause': [
    'schedule.pause',
    async () => [`/agendamento/${await made('/agendamento', await aSchedule())}/pause`],
  ],
  'PUT /agendamento/:id/resume': [
    'schedule.resume',
    async () => {
      const id = await made('/agendamento', await aSchedule())
      await marina.call('PUT', `/agendamento/${id}/pause`)
      return [`/agendamento/${id}/resume`]
    },
  ],
  'PUT /agendamento/:id/cancel': [
    'schedule.cancel',
    async () => [`/agendamento/${await made('/agendamento', await aSchedule())}/cancel`],
  ],
  'DELETE /agendamento/file/:id': [
    'schedule.removeFile',
    async () => {
      const medias = new File(['preços'], 'precos.txt', { type: 'text/plain' })
      return [`/agendamento/file/${await made('/agendamento', await aSchedule({ medias }))}`]
    },
  ],
  'DELETE /agendamento/:id': [
    'schedule.delete',
    async () => [`/agendamento/${await made('/agendamento', await aSchedule())}`],
  ],
  'POST /envioMassa': ['send.create', async () => ['/envioMassa', await aSend()]],
  'POST /envioMassa/test': [
    'send.test',
    async () => ['/envioMassa/test', { ...(await aSend()), number: (await aTalk()).number }],
  ],
  'PUT /envioMassa/:id': [
    'send.update',
    async () => [`/envioMassa/${await aPausedSend()}`, { mensagem: 'Chegou o fubá!' }],
  ],
  'PUT /envioMassa/:id/pause': [
    'send.pause',
    async () => [`/envioMassa/${await made('/envioMassa', await aSend())}/pause`],
  ],
  'PUT /envioMassa/:id/resume': ['send.resume', async () => [`/envioMassa/${await aPausedSend()}/resume`]],
  'PUT /envioMassa/:id/cancel': ['send.cancel', async () => [`/envioMassa/${await aPausedSend()}/cancel`]],
  'POST /envioMassa/:id/recipients/export': [
    'send.export',
    async () => [`/envioMassa/${await aPausedSend()}/recipients/export`, {}],
  ],
  'PUT /settings': ['setting.update', async () => ['/settings', { values: { messageBot: `Não entendi ${unique()}` } }]],
  'PUT /settings/:key': ['setting.update', async () => ['/settings/messageBot', { value: `Não achei ${unique()}` }]],
  'POST /integrations/tokens': ['apiToken.create', async () => ['/integrations/tokens', anApiToken()]],
  'PUT /integrations/tokens/:id': ['apiToken.update', async () => [await addApiToken(), { name: unique() }]],
  'DELETE /integrations/tokens/:id': ['apiToken.delete', async () => [await addApiToken()]],
  'POST /integrations': ['webhook.create', async () => ['/integrations', aWebhook()]],
  'PUT /integrations/:id': ['webhook.update', async () => [await addWebhook(), { name: unique() }]],
  'DELETE /integrations/:id': ['webhook.delete', async () => [await addWebhook()]],
  'POST /integrations/:id/secret': ['webhook.renewSecret', async () => [`${await addWebhook()}/secret`]],
  'POST /integrations/:id/test': [
    'webhook.test',
    async () => [`${await addWebhook()}/test`, { type: 'message.received' }],
  ],
  'POST /integrations/:id/deliveries/:deliveryId/replay': [
    'webhook.replay',
    async () => {
      const path = await addWebhook()
      const { body } = await marina.call<{ id: number }>('POST', `${path}/test`, { type: 'message.received' })
      return [`${path}/deliveries/${body.id}/replay`]
    },
  ],
}

/** Adding, changing and deleting a row of a list that people keep by hand. */
function listCommands(list: (typeof MANUAL_LISTS)[number]): [string, Logged][] {
  const { name, path } = list
  const ready: Ready = async () => {
    const { id, body } = await addRow(marina, list)
    return [`${path}/${id}`, body]
  }
  const fresh: Ready = async () => {
    const [row, body] = await ready()
    await marina.call('DELETE', row)
    return [path, body]
  }
  return [
    [`POST ${path}`, [`${name}.create`, fresh]],
    [`PUT ${path}/:id`, [`${name}.update`, ready]],
    [`DELETE ${path}/:id`, [`${name}.delete`, ready]],
  ]
}

/** Nobody is reached there: it is refused before anything leaves. */
function anApiToken() {
  return { name: unique(), scopes: ['send'], userId: brunaId }
}

async function addApiToken(): Promise<string> {
  return `/integrations/tokens/${await made('/integrations/tokens', anApiToken())}`
}

function aWebhook() {
  return { name: unique(), address: 'https://127.0.0.1:9/x', events: ['contact.deleted'] }
}

async function addWebhook(): Promise<string> {
  return `/integrations/${await made('/integrations', aWebhook())}`
}

describe('every command of the contract', () => {
  test('leaves an entry in the log, or says why it leaves none', () => {
    const commands = Object.keys(endpoints).filter(key => !key.startsWith('GET '))
    expect([...Object.keys(LOGGED), ...Object.keys(TRACELESS)].sort()).toEqual(commands.sort())
  })

  for (const [key, [action, ready]] of takeRounds(Object.entries(LOGGED), 15))
    test(`${key} leaves ${action}`, async () => {
      const [method = ''] = key.split(' ')
      const [path, body, by = marina] = await ready()
      const [last] = await sql<{ id: number }[]>`select coalesce(max(id), 0)::float8 as id from log_entry`
      const answer = await by.call(method, path, body)
      expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
      await waitUntil(
        `${action} stands in the log`,
        async () => {
          const entries = await sql<{ action: string; user_id: number | null }[]>`
          select action, user_id from log_entry where id > ${last?.id ?? 0}`
          return entries.some(entry => entry.action === action && (by !== marina || entry.user_id === marinaId))
        },
        40_000,
      )
    })
})

const PASS = 'Outra@Senha9'
let count = 0
/** A text that nothing else is called by. */
function unique(): string {
  return `${100 + ++count}`
}

function aNumber(): string {
  return `55319${98000000 + ++count}`
}

function nobody(): SignedInPerson {
  return createBrowser(server.url)
}

async function made(path: string, body: unknown): Promise<number> {
  const answer = await marina.call<{ id?: number }>('POST', path, body)
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.id ?? 0
}

function aForm(fields: Readonly<Record<string, string | File>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

/** Somebody of the contacts with a number, who wrote just now. */
async function aCustomer(number = aNumber()): Promise<number> {
  const id = await makeContact(db, `Cliente ${unique()}`)
  await sql`update contact set number = ${number} where id = ${id}`
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${id})`
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
    select ${id}, w, ${`${number}@s.whatsapp.net`}, now() from unnest(${[whatsappId, officialId]}::int[]) w`
  return id
}

interface TalkToMake {
  readonly userId?: number
  readonly status?: 'bot' | 'open' | 'pending'
  readonly whatsappId?: number
}

async function aTalk(input: TalkToMake = {}) {
  const { status = 'open', userId = status === 'open' ? marinaId : null } = input
  const number = aNumber()
  const contactId = await aCustomer(number)
  const on = input.whatsappId ?? whatsappId
  const ticketId = await makeTicket(db, { contactId, whatsappId: on, status, queueId, userId })
  return { number, contactId, ticketId, messageId: await makeMessage(db, ticketId, 'Bom dia') }
}

async function aTerminal(): Promise<string> {
  return (await marina.call<{ id: string }>('POST', '/auth/terminal', { name: 'balcão' })).body.id
}

function aUserForm() {
  return { name: `Pessoa ${unique()}`, email: `${unique()}@saojose.example`, password: PASS, profile: 'user' }
}

function aColleague(): Promise<number> {
  return made('/users', aUserForm())
}

function aComment(): Promise<number> {
  return aTalk().then(({ ticketId }) => made(`/messages/${ticketId}`, { body: '--Confirmar antes' }))
}

async function aRecording(): Promise<number> {
  const bytes = new Uint8Array(2000)
  bytes.set(Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead'))
  const upload = await marina.call<{ uploadId: string }>('PUT', '/uploads?name=audio.ogg', bytes)
  const { ticketId, messageId } = await aTalk()
  const file = { state: 'ready', name: 'audio.ogg', mime: 'audio/ogg', size: 2000, seconds: 3, voice: true }
  const media = JSON.stringify({ ...file, width: null, height: null, waveform: null, error: null })
  await sql`update media set owner = 'message', ticket_id = ${ticketId} where id = ${upload.body.uploadId}`
  await sql`update message set media_type = 'audio', media_id = ${upload.body.uploadId}, media = ${media}::text::jsonb
    where id = ${messageId}`
  return messageId
}

async function aWaitingJob(): Promise<number> {
  const [job] = await sql<{ id: number }[]>`
    insert into job (kind, user_id, params) values ('contacts.export', ${marinaId}, '{}') returning id`
  return job?.id ?? 0
}

function aPicture(): File {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return new File([Buffer.from(png, 'base64')], 'eu.png', { type: 'image/png' })
}

function aQuestion() {
  return { pergunta: `Boleto ${unique()}`, resposta: 'Assim.' }
}

function aQuickAnswer(): FormData {
  return aForm({ shortcut: `ola${unique()}`, message: 'Bom dia, tudo bem?' })
}

function aPeriod() {
  const today = new Date().toISOString().slice(0, 10)
  return { startDate: today, endDate: today }
}

async function aSchedule(more: Readonly<Record<string, File>> = {}): Promise<FormData> {
  const sendAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000).toISOString()
  const to = { contactsIds: String(await aCustomer()), whatsappId: String(whatsappId) }
  return aForm({ title: 'Cobrança', message: 'Vence amanhã', recurrence: 'once', RValue: '0', sendAt, ...to, ...more })
}

async function aSend() {
  return { mensagem: 'Chegou a farinha!', contactsIds: `${await aCustomer()},${await aCustomer()}`, whatsappId }
}

async function aPausedSend(): Promise<number> {
  const id = await made('/envioMassa', await aSend())
  await marina.call('PUT', `/envioMassa/${id}/pause`)
  return id
}
