// Puts the company of the demo and of the browser tests into an empty database.
import { randomBytes } from 'node:crypto'
import { listPhoneVariants, type Profile, type Settings, toSettingTexts } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import { questions } from '../../desk/bot-questions/table.ts'
import { chatMembers, chatMessages, chats } from '../../desk/chats/table.ts'
import { sealConfig } from '../../desk/connections/config.ts'
import { connections } from '../../desk/connections/table.ts'
import { contactIdentities, contacts } from '../../desk/contacts/table.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { toMessageFileColumns } from '../../desk/media/to-send.ts'
import { formatMessagePreview } from '../../desk/messages/preview.ts'
import { messages } from '../../desk/messages/table.ts'
import { connectionQueues, queues, userQueues } from '../../desk/queues/table.ts'
import { quickAnswers } from '../../desk/quick-answers/table.ts'
import { contactTags, tags } from '../../desk/tags/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import { firstSteps } from '../../operations/first-steps/table.ts'
import { readConfig } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hashEmail, seal } from '../../platform/seal.ts'
import { hashPassword } from '../../policy/sessions/sign-in.ts'
import { settings } from '../../policy/settings/table.ts'
import { users } from '../../policy/users/table.ts'
import { COMPANY, type SeedChat, type SeedTicket } from './company.ts'
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

/**
 * Fills an empty database; on one that has people already it changes nothing but gives them fresh passwords, so that the demo can
 * always say how to sign in. Passwords are random: none stands in the code.
 */
export async function seedDemo(db: Db, options: SeedOptions): Promise<DemoAccount[]> {
  const { dataKey } = readConfig({ ...process.env, DATA_DIR: options.dataDir })
  const people = await Promise.all(
    COMPANY.people.map(async person => {
      const password = newPassword()
      return {
        ...person,
        password,
        emailHash: hashEmail(dataKey, person.email),
        hash: await hashPassword(password),
      }
    }),
  )
  const files = await seedFiles(db, options.dataDir)
  await db.transaction(async tx => {
    if ((await tx.$count(users)) === 0) return seedCompany(tx, people, dataKey, options, files)
    for (const { emailHash: known, hash } of people)
      await tx.update(users).set({ passwordHash: hash }).where(eq(users.emailHash, known))
  })
  return people.map(({ name, email, password, profile }) => ({ name, email, password, profile }))
}

/** Easy to type, hard to guess: the policy's four classes of characters are all there. */
function newPassword(): string {
  return `Demo-${randomBytes(4).toString('hex')}7`
}

type Person = (typeof COMPANY)['people'][number] & { readonly emailHash: string; readonly hash: string }
type Ids = Map<string, number>

/** The ids of everything that others name, by what they name it. */
interface SeededIds {
  readonly users: Ids
  readonly queues: Ids
  readonly tags: Ids
  readonly connections: Ids
  /** By number, a group by its address. */
  readonly contacts: Map<string, { readonly id: number; readonly name: string }>
  readonly files: SeedFiles
}

async function seedCompany(
  tx: Tx,
  people: readonly Person[],
  dataKey: string,
  { cloud, settings: chosen = {} }: SeedOptions,
  files: SeedFiles,
): Promise<void> {
  const stored = toSettingTexts(chosen).map(([key, value]) => ({ key, value }))
  if (stored.length > 0) await tx.insert(settings).values(stored)
  await tx.insert(firstSteps).values({ overAt: new Date().toISOString() })
  await tx.insert(quickAnswers).values(COMPANY.quickAnswers)
  const team = people.map(({ name, email, emailHash: hashed, hash, profile }) => ({
    ...{ name, profile, emailSealed: seal(dataKey, email), emailHash: hashed, passwordHash: hash },
    delContact: profile === 'admin',
  }))
  const made = await tx.insert(users).values(team).returning({ id: users.id, emailHash: users.emailHash })
  const userIds = new Map(made.map(({ id, emailHash }) => [emailHash, id]))
  const known: SeededIds = {
    users: new Map(people.map(({ key, emailHash }) => [key, userIds.get(emailHash) ?? 0])),
    queues: idsByName(await tx.insert(queues).values(COMPANY.queues).returning()),
    tags: idsByName(await tx.insert(tags).values(COMPANY.tags).returning()),
    connections: idsByName(await seedConnections(tx, dataKey, cloud)),
    contacts: new Map(),
    files,
  }
  await tx.insert(questions).values(
    COMPANY.questions.map(({ queue, ...question }, at) => ({
      ...question,
      queueId: queue === undefined ? null : getSeededId(known.queues, queue),
      position: at + 1,
    })),
  )
  for (const { key, queues: own } of people)
    await tx
      .insert(userQueues)
      .values(own.map(name => ({ userId: getSeededId(known.users, key), queueId: getSeededId(known.queues, name) })))
  for (const { name: connection, queues: own } of COMPANY.connections) {
    const whatsappId = known.connections.get(connection)
    if (whatsappId)
      await tx
        .insert(connectionQueues)
        .values(own.map(name => ({ whatsappId, queueId: getSeededId(known.queues, name) })))
  }
  for (const ticket of COMPANY.tickets) await seedTicket(tx, ticket, known)
  for (const chat of COMPANY.chats) await seedChat(tx, chat, known.users)
}

function idsByName(rows: readonly { readonly id: number; readonly name: string }[]): Ids {
  return new Map(rows.map(({ id, name }) => [name, id]))
}

function getSeededId(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The company has no ${name}`)
  return id
}

function seedConnections(tx: Tx, dataKey: string, cloud: SeedOptions['cloud']) {
  const { phoneNumberId, wabaId, token: tokenMeta, number = '' } = cloud ?? {}
  const config = { phoneNumberId, wabaId, tokenMeta, metaIntegration: true }
  const rows = COMPANY.connections.map(({ queues: _, ...row }) =>
    row.api === 'cloud_api'
      ? { ...row, number: number.replace(/\D/g, ''), config: sealConfig(dataKey, row.api, config) }
      : row,
  )
  return tx
    .insert(connections)
    .values(rows.filter(row => cloud || row.api !== 'cloud_api'))
    .returning()
}

/** To the second, as what providers tell. */
function before(minutes: number) {
  return sql<string>`date_trunc('second', now() - make_interval(mins => ${minutes}))`
}

async function seedTicket(tx: Tx, ticket: SeedTicket, known: SeededIds): Promise<void> {
  const { status, pauseTag, unread = 0, lines, user, queue, protocol } = ticket
  const whatsappId = known.connections.get(ticket.connection)
  const [first, last] = [lines[0], lines.at(-1)]
  if (whatsappId === undefined || !first || !last) return
  const contact = await findOrSeedContact(tx, ticket, known)
  for (const tag of ticket.tags ?? [])
    await tx.insert(contactTags).values({ contactId: contact.id, tagId: getSeededId(known.tags, tag) })
  const place = { contactId: contact.id, whatsappId }
  const [row] = await tx
    .insert(tickets)
    .values({
      ...place,
      status,
      pauseTag,
      queueId: queue === undefined ? null : getSeededId(known.queues, queue),
      userId: user === undefined ? null : getSeededId(known.users, user),
      isGroup: ticket.group !== undefined,
      unreadMessages: unread,
      messageSeq: lines.length,
      createdAt: before(first.ago),
      acceptedAt: user === undefined ? null : before(first.ago),
      closedAt: status === 'closed' ? before(last.ago) : null,
      lastMessage: formatMessagePreview({ body: last.body, mediaType: last.type ?? 'chat' }),
      lastMessageType: last.type ?? 'chat',
      lastMessageFromMe: last.from !== 'customer',
      lastMessageState: last.from === 'customer' ? null : (last.state ?? 'sent'),
      lastMessageAt: before(last.ago),
    })
    .returning({ id: tickets.id })
  const ticketId = row?.id ?? 0
  const said = lines.map(({ ago, from, member, body, type = 'chat', state = 'sent', error, file: named }, at) => {
    const fromMe = from !== 'customer'
    const author = member === undefined ? { id: contact.id, name: '' } : known.contacts.get(member)
    if (!author) throw new Error(`The group's member ${member} has no conversation above`)
    const file = named && known.files.get(named.name)
    return {
      ...place,
      ticketId,
      seq: at + 1,
      at: before(ago),
      fromMe,
      authorId: fromMe ? null : author.id,
      authorName: author.name,
      userId: known.users.get(from) ?? null,
      body,
      mediaType: type,
      state: fromMe ? state : ('received' as const),
      read: fromMe || at < lines.length - unread,
      errorLog: error,
      providerId: type === 'comment' ? null : `SEED${ticketId}X${at}`,
      ...(file && toMessageFileColumns(file)),
    }
  })
  const stored = await tx
    .insert(messages)
    .values(said)
    .returning({ id: messages.id, mediaId: messages.mediaId, seq: messages.seq })
  for (const { mediaId } of stored) if (mediaId) await claimUpload(tx, null, mediaId, { ticketId })
  await tx
    .update(tickets)
    .set({ lastMessageId: stored.find(({ seq }) => seq === said.length)?.id })
    .where(eq(tickets.id, ticketId))
  if (protocol !== undefined) await seedProtocol(tx, ticketId, protocol)
}

/** A number as the desk gives them: the day and its own. */
async function seedProtocol(tx: Tx, ticketId: number, mensagem: string): Promise<void> {
  await getSql(tx)`
    with given as (select nextval(pg_get_serial_sequence('protocol', 'id'))::int as id)
    insert into protocol (id, protocolo, mensagem, ticket_id, contact_id, user_id, created_at) overriding system value
    select given.id, to_char(t.closed_at, 'YYYYMMDD') || lpad(given.id::text, 6, '0'), ${mensagem}, t.id, t.contact_id, t.user_id, t.closed_at
    from given, ticket t where t.id = ${ticketId}`
}

/** Whose ticket it is; somebody may have several. */
async function findOrSeedContact(
  tx: Tx,
  { name, number, group, email, extraInfo }: SeedTicket,
  { contacts: known }: SeededIds,
) {
  const address = group ?? number ?? ''
  const there = known.get(address)
  if (there) return there
  const values = { name, nameSource: 'manual', number, isGroup: group !== undefined, email, extraInfo } as const
  const [made] = await tx.insert(contacts).values(values).returning({ id: contacts.id, name: contacts.name })
  if (!made) throw new Error('A contact could not be made')
  const [kind, names] =
    group === undefined ? (['pn', listPhoneVariants(address)] as const) : (['group', [group]] as const)
  await tx.insert(contactIdentities).values(names.map(value => ({ kind, value, contactId: made.id })))
  known.set(address, made)
  return made
}

async function seedChat(tx: Tx, { group, members, unread, lines }: SeedChat, team: Ids): Promise<void> {
  const [userId = 0, other = 0] = members.map(key => getSeededId(team, key))
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return
  const lastMessageAt = before(last.ago)
  const [chat] = await tx
    .insert(chats)
    .values({
      ...(group === undefined ? { userId, callingUserId: other } : { userId, isGroup: true, groupName: group }),
      messageSeq: lines.length,
      lastMessage: last.body,
      lastMessageUserId: getSeededId(team, last.from),
      lastMessageAt,
      createdAt: before(first.ago),
    })
    .returning({ id: chats.id })
  const chatId = chat?.id ?? 0
  const there = members.map(key => ({ userId: getSeededId(team, key), left: unread?.by === key ? unread.lines : 0 }))
  await tx.insert(chatMembers).values(
    there.map(({ left, ...member }) => ({
      ...member,
      chatId,
      unread: left,
      readSeq: lines.length - left,
      lastMessageAt,
    })),
  )
  const ids: number[] = []
  for (const [at, { ago, from, body, answers }] of lines.entries()) {
    const quotedId = answers === undefined ? undefined : ids[answers - 1]
    const message = { chatId, seq: at + 1, senderId: getSeededId(team, from), body, quotedId, createdAt: before(ago) }
    const [row] = await tx.insert(chatMessages).values(message).returning({ id: chatMessages.id })
    ids.push(row?.id ?? 0)
  }
  await tx
    .update(chats)
    .set({ lastMessageId: ids.at(-1) })
    .where(eq(chats.id, chatId))
}
