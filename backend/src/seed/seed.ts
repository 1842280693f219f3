// The company of the demo and of the browser tests: people, queues, connections, quick answers and conversations, in Portuguese.
import { randomBytes } from 'node:crypto'
import { type Profile, phoneVariants, type Settings, settingTexts } from '@balcao/contract'
import { readConfig } from '../config.ts'
import { sealedConfig } from '../connections/config.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { claimUpload } from '../media/claim.ts'
import { emailHash, seal } from '../seal.ts'
import { seedChats } from './chats.ts'
import { CONVERSATIONS, type SeedTicket } from './conversations.ts'
import { type SeedFiles, seedFiles } from './files.ts'

export interface DemoAccount {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly profile: Profile
}

export interface SeedOptions {
  readonly dataDir: string
  /** Settings that differ from their defaults. */
  readonly settings?: Partial<Settings>
  /** What a person would enter for the Cloud API connection; without it there is only the phone's. */
  readonly cloud?: {
    readonly phoneNumberId: string
    readonly wabaId: string
    readonly token: string
    readonly number: string
  }
}

const PEOPLE = [
  {
    key: 'marina',
    name: 'Marina Souza',
    email: 'marina@saojose.example',
    profile: 'admin',
    queues: ['Comercial', 'Financeiro', 'Suporte', 'Entregas'],
  },
  {
    key: 'rafael',
    name: 'Rafael Costa',
    email: 'rafael@saojose.example',
    profile: 'gerente',
    queues: ['Comercial', 'Financeiro'],
  },
  {
    key: 'bruna',
    name: 'Bruna Alves',
    email: 'bruna@saojose.example',
    profile: 'user',
    queues: ['Suporte', 'Entregas'],
  },
] as const

const QUEUES = [
  { name: 'Comercial', color: '#2E9E6B', order: 1 },
  { name: 'Financeiro', color: '#D0702F', order: 2 },
  { name: 'Suporte', color: '#7C5CC9', order: 3 },
  { name: 'Entregas', color: '#1F8FB5', order: 4 },
] as const

const TAGS = [
  { name: '2ª via', color: '#D0702F' },
  { name: 'Recorrente', color: '#1F8FB5' },
  { name: 'VIP', color: '#B8860B' },
  { name: 'Cliente novo', color: '#2E9E6B' },
] as const

const QUICK_ANSWERS = [
  ['boleto', 'Segue a 2ª via do seu boleto, {{name}}. Qualquer dúvida é só chamar.'],
  ['boleto-prazo', 'Consigo prorrogar até {{date}} sem juros. Posso confirmar?'],
  ['bom-dia', '{{ms}}, {{name}}! Aqui é {{user}}, da São José. Como posso ajudar?'],
  ['entrega', 'Seu pedido sai no próximo caminhão e chega até as 11h30.'],
  ['obrigado', 'Obrigado pela preferência, {{name}}! Conte com a gente.'],
] as const

/**
 * Fills an empty database; on one that has people already it changes nothing but gives them fresh passwords, so that the demo can
 * always say how to sign in. Passwords are random: none stands in the code.
 */
export async function seedDemo(db: Db, options: SeedOptions): Promise<DemoAccount[]> {
  const { dataKey } = readConfig({ ...process.env, DATA_DIR: options.dataDir })
  const accounts = await Promise.all(PEOPLE.map(async person => ({ ...person, password: newPassword(), hash: '' })))
  const hashed = await Promise.all(
    accounts.map(async account => ({ ...account, hash: await Bun.password.hash(account.password) })),
  )
  const files = await seedFiles(db, options.dataDir)
  await db.transaction(async tx => {
    const sql = sqlOf(tx)
    const [known] = await sql`select 1 from "user" limit 1`
    if (known) {
      for (const { email, hash } of hashed)
        await sql`update "user" set password_hash = ${hash} where email_hash = ${emailHash(dataKey, email)}`
      return
    }
    await seedCompany(tx, hashed, dataKey, options, files)
  })
  return accounts.map(({ name, email, password, profile }) => ({ name, email, password, profile }))
}

/** Easy to type, hard to guess: the policy's four classes of characters are all there. */
function newPassword(): string {
  return `Demo-${randomBytes(4).toString('hex')}7`
}

async function seedCompany(
  tx: Tx,
  people: readonly ((typeof PEOPLE)[number] & { readonly hash: string })[],
  dataKey: string,
  { cloud, settings = {} }: SeedOptions,
  files: SeedFiles,
): Promise<void> {
  const sql = sqlOf(tx)
  for (const [key, value] of settingTexts(settings))
    await sql`insert into setting (key, value) values (${key}, ${value})`
  const queues = new Map<string, number>()
  for (const { name, color, order } of QUEUES) {
    const [row] = await sql<
      { id: number }[]
    >`insert into queue (name, color, custom_order) values (${name}, ${color}, ${order}) returning id`
    queues.set(name, row?.id ?? 0)
  }
  const users = new Map<string, number>()
  for (const { key, name, email, profile, queues: own, hash } of people) {
    const [row] = await sql<{ id: number }[]>`
      insert into "user" (name, email_sealed, email_hash, password_hash, profile, del_contact)
      values (${name}, ${seal(dataKey, email)}, ${emailHash(dataKey, email)}, ${hash}, ${profile}, ${profile === 'admin'}) returning id`
    users.set(key, row?.id ?? 0)
    for (const queue of own)
      await sql`insert into user_queue (user_id, queue_id) values (${row?.id ?? 0}, ${queues.get(queue) ?? 0})`
  }
  const tags = new Map<string, number>()
  for (const { name, color } of TAGS) {
    const [row] = await sql<{ id: number }[]>`insert into tag (name, color) values (${name}, ${color}) returning id`
    tags.set(name, row?.id ?? 0)
  }
  for (const [shortcut, message] of QUICK_ANSWERS)
    await sql`insert into quick_answer (shortcut, message) values (${shortcut}, ${message})`
  const connections = await seedConnections(tx, queues, dataKey, cloud)
  for (const ticket of CONVERSATIONS) {
    const connection = connections.get(ticket.connection)
    if (connection) await seedTicket(tx, ticket, { connection, queues, users, tags, files })
  }
  await seedChats(tx, users)
}

async function seedConnections(
  tx: Tx,
  queues: ReadonlyMap<string, number>,
  dataKey: string,
  cloud: SeedOptions['cloud'],
): Promise<Map<string, number>> {
  const sql = sqlOf(tx)
  const [phone] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, is_default, status, greeting_message, farewell_message)
    values ('Loja Centro', 'baileys', true, 'DISCONNECTED', 'Oi, {{name}}! Recebemos sua mensagem e já vamos te atender.', 'Obrigado pelo contato, {{name}}! Até a próxima.') returning id`
  const connections = new Map([['Loja Centro', phone?.id ?? 0]])
  if (cloud) {
    const { number, phoneNumberId, wabaId, token: tokenMeta } = cloud
    const config = sealedConfig(dataKey, 'cloud_api', { phoneNumberId, wabaId, tokenMeta, metaIntegration: true })
    const [official] = await sql<{ id: number }[]>`
      insert into whatsapp (name, api, status, number, config)
      values ('Oficial São José', 'cloud_api', 'DISCONNECTED', ${number.replace(/\D/g, '')}, ${JSON.stringify(config)}::text::jsonb) returning id`
    connections.set('Oficial São José', official?.id ?? 0)
  }
  for (const [name, whatsappId] of connections) {
    for (const queue of name === 'Loja Centro' ? QUEUES.map(one => one.name) : ['Suporte', 'Comercial']) {
      await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${whatsappId}, ${queues.get(queue) ?? 0})`
    }
  }
  return connections
}

interface Places {
  readonly connection: number
  readonly queues: ReadonlyMap<string, number>
  readonly users: ReadonlyMap<string, number>
  readonly tags: ReadonlyMap<string, number>
  readonly files: SeedFiles
}

async function seedTicket(
  tx: Tx,
  ticket: SeedTicket,
  { connection, queues, users, tags, files }: Places,
): Promise<void> {
  const sql = sqlOf(tx)
  const contactId = await contactOf(tx, ticket)
  for (const tag of ticket.tags)
    await sql`insert into contact_tag (contact_id, tag_id) values (${contactId}, ${tags.get(tag) ?? 0}) on conflict do nothing`
  const first = ticket.lines[0]?.ago ?? 0
  const last = ticket.lines.at(-1)
  const closed = ticket.status === 'closed'
  const [row] = await sql<{ id: number }[]>`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, pause_tag, unread_messages, message_seq, created_at, accepted_at, closed_at, last_message_at)
    values (${ticket.status}, ${contactId}, ${connection}, ${ticket.queue ? (queues.get(ticket.queue) ?? null) : null}, ${ticket.user ? (users.get(ticket.user) ?? null) : null}, ${Boolean(ticket.group)},
      ${ticket.pauseTag ?? null}, ${ticket.unread ?? 0}, ${ticket.lines.length}, now() - make_interval(mins => ${first}), ${ticket.user ? sql`now() - make_interval(mins => ${first})` : null},
      ${closed ? sql`now() - make_interval(mins => ${last?.ago ?? 0})` : null}, date_trunc('second', now() - make_interval(mins => ${last?.ago ?? 0}))) returning id`
  const ticketId = row?.id ?? 0
  let lastId = '0'
  for (const [index, line] of ticket.lines.entries()) {
    const mine = line.from !== 'customer'
    const file = line.file ? files.get(line.file.name) : undefined
    const author = line.member ? await memberOf(tx, line.member) : { id: contactId, name: '' }
    const unreadFrom = ticket.lines.length - (ticket.unread ?? 0)
    const [stored] = await sql<{ id: string }[]>`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, author_id, author_name, user_id, body, media_type, state, read, error_log, provider_id, media_id, media)
      values (${ticketId}, ${contactId}, ${connection}, ${index + 1}, date_trunc('second', now() - make_interval(mins => ${line.ago})), ${mine}, ${mine ? null : author.id}, ${author.name}, ${users.get(line.from) ?? (line.from === 'comment' ? (users.get('marina') ?? null) : null)},
        ${line.body}, ${line.from === 'comment' ? 'comment' : (line.type ?? 'chat')}, ${mine ? (line.state ?? 'sent') : 'received'}, ${mine || index < unreadFrom}, ${line.error ? JSON.stringify(line.error) : null}::jsonb,
        ${line.from === 'comment' ? null : `SEED${ticketId}X${index}`}, ${file?.id ?? null}, ${file ? JSON.stringify(file.media) : null}::text::jsonb) returning id`
    if (file) await claimUpload(tx, null, file.id, { ticketId })
    lastId = stored?.id ?? lastId
  }
  await sql`
    update ticket set last_message_id = ${lastId}, last_message = ${preview(last)}, last_message_type = ${last?.type ?? 'chat'}, last_message_from_me = ${last?.from !== 'customer'},
      last_message_state = ${last && last.from !== 'customer' ? (last.state ?? 'sent') : null} where id = ${ticketId}`
  if (ticket.protocol !== undefined) await seedProtocol(tx, ticketId, ticket.protocol)
}

/** The contact of somebody in a group. */
async function memberOf(tx: Tx, number: string): Promise<{ id: number; name: string }> {
  const [row] = await sqlOf(tx)<{ id: number; name: string }[]>`
    select c.id, c.name from contact_identity i join contact c on c.id = i.contact_id where i.value = ${number}`
  if (!row) throw new Error(`The group's member ${number} has no conversation above`)
  return row
}

/** A number as the desk gives them: the day and its own. */
async function seedProtocol(tx: Tx, ticketId: number, mensagem: string): Promise<void> {
  await sqlOf(tx)`
    with given as (select nextval(pg_get_serial_sequence('protocol', 'id'))::int as id)
    insert into protocol (id, protocolo, mensagem, ticket_id, contact_id, user_id, created_at) overriding system value
    select given.id, to_char(t.closed_at, 'YYYYMMDD') || lpad(given.id::text, 6, '0'), ${mensagem}, t.id, t.contact_id, t.user_id, t.closed_at
    from given, ticket t where t.id = ${ticketId}`
}

function preview(line: SeedTicket['lines'][number] | undefined): string {
  if (!line) return ''
  return line.type === 'location' ? (line.body.split('|').at(2) ?? '') : line.body.replace(/^\*\w+:\*\n/, '')
}

async function contactOf(tx: Tx, ticket: SeedTicket): Promise<number> {
  const sql = sqlOf(tx)
  const names = ticket.group
    ? [{ kind: 'group', value: ticket.group }]
    : phoneVariants(ticket.number).map(value => ({ kind: 'pn', value }))
  const [known] = await sql<
    { contact_id: number }[]
  >`select contact_id from contact_identity where value = any(${names.map(name => name.value)}::text[]) limit 1`
  if (known) return known.contact_id
  const [made] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number, is_group, email, extra_info)
    values (${ticket.name}, 'manual', ${ticket.group ? null : ticket.number}, ${Boolean(ticket.group)}, ${ticket.email ?? ''}, ${JSON.stringify(ticket.extra ?? [])}::text::jsonb) returning id`
  for (const { kind, value } of names)
    await sql`insert into contact_identity (kind, value, contact_id) values (${kind}, ${value}, ${made?.id ?? 0})`
  return made?.id ?? 0
}
