// What the demo's company has more of in the gallery: a conversation with each kind of message, chats of the team, a colleague at work.

import { claimUpload } from '@balcao/backend/desk/media/claim'
import { storeMedia } from '@balcao/backend/desk/media/store'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import type { Browser } from 'playwright-core'
import type { Sql } from 'postgres'
import { type DeskSession, signIn } from '../desk.ts'
import { signInAdministrator, waitUntil } from '../steps.ts'
import type { TestSystem } from '../world.ts'
import { drawFiles, type Files } from './files.ts'
import { CARDS, CUSTOMERS, FILES, type GalleryMessage, LONG, STATES } from './said.ts'

export interface GalleryData {
  /** Ids of tickets by the contact's name. */
  readonly ticket: Readonly<Record<string, number>>
  readonly chat: { readonly direct: number; readonly group: number }
  /** Rafael, who is in Dona Lúcia's conversation: writes without sending; '' gives it up. */
  readonly colleague: { begin(text: string): Promise<void> }
  /** Gives somebody the password of the start again. */
  letInAgain(firstName: string): Promise<void>
  close(): Promise<void>
}

/** Furnishes the world; what it opens is closed by `close`. */
export async function fillGallery(browser: Browser, world: TestSystem, sql: Sql): Promise<GalleryData> {
  const { dataDir } = world
  const db = openDatabase(world.databaseUrl, { max: 2 })
  const files = await drawFiles(browser)
  for (const [name, lines] of [
    ['Papelaria Aurora', FILES],
    ['Papelaria Aurora Cartões', CARDS],
    ['Papelaria Aurora Estados', STATES],
    ['Papelaria Aurora Clientes', CUSTOMERS],
    ['Mercado Longo', LONG],
  ] as const)
    await fillConversation({ db, dataDir }, sql, files, name, lines)
  await closeDatabase(db)
  const rows = await sql<{ id: number; name: string }[]>`
    select t.id, c.name from ticket t join contact c on c.id = t.contact_id order by t.status = 'closed' desc, t.id`
  const chat = await fillChats(world, sql)
  await switchOn(world, sql)
  const hashes = await sql<{ name: string; hash: string }[]>`select name, password_hash as hash from "user"`
  const ticket = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
  const colleague = await openColleague(browser, world, ticket['Dona Lúcia Ferreira'] ?? 0)
  return {
    ticket,
    chat,
    colleague: { begin: text => colleague.page.getByRole('textbox', { name: /Mensagem para/ }).fill(text) },
    async letInAgain(firstName) {
      const { name, hash } = hashes.find(one => one.name.startsWith(firstName)) ?? {}
      await sql`update "user" set password_hash = ${hash ?? ''}, must_change_password = false where name = ${name ?? ''}`
    },
    close: () => colleague.close(),
  }
}

async function fillConversation(
  place: { db: Db; dataDir: string },
  sql: Sql,
  files: Files,
  name: string,
  lines: readonly GalleryMessage[],
): Promise<void> {
  const [contact] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number) values (${name}, 'manual', ${`55319${80_000_000 + name.length}`}) returning id`
  const contactId = contact?.id ?? 0
  const [ticket] = await sql<{ id: number; whatsapp_id: number }[]>`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, message_seq, accepted_at, last_message_at, last_message, last_message_type)
    select 'open', ${contactId}, w.id, q.id, u.id, ${lines.length}, now(), date_trunc('second', now() - interval '2 minutes'), ${lines.at(-1)?.body ?? ''}, ${lines.at(-1)?.type ?? 'chat'}
    from whatsapp w, queue q, "user" u where w.name = 'Loja Centro' and q.name = 'Comercial' and u.name like 'Marina%'
    returning id, whatsapp_id`
  const ticketId = ticket?.id ?? 0
  const ids: number[] = []
  for (const [at, line] of lines.entries()) {
    const { from = 'customer', type = 'chat', body = '', file, fileName, media, more = {} } = line
    const ours = from !== 'customer'
    const stored =
      file &&
      (await storeMedia(place, new Blob([files[file]]).stream(), {
        name: fileName ?? file,
        most: 50_000_000,
      }))
    const known = stored
      ? { state: 'ready', ...stored, seconds: null, voice: false, waveform: null, error: null, ...media }
      : media && {
          size: null,
          seconds: null,
          width: null,
          height: null,
          voice: false,
          waveform: null,
          error: null,
          ...media,
        }
    const { quoted, ...columns } = more
    const [row] = await sql<{ id: string }[]>`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, author_id, user_id, body, media_type, media_id, media, state, read, quoted_id, provider_id)
      values (${ticketId}, ${contactId}, ${ticket?.whatsapp_id ?? 0}, ${at + 1},
        date_trunc('second', now() - make_interval(mins => ${2 + lines.length - at})), ${ours}, ${ours ? null : contactId},
        ${from === 'us' ? sql`(select id from "user" where name like 'Marina%')` : null}, ${body}, ${type},
        ${stored ? stored.id : null}, ${known ? sql.json(known) : null}, ${ours ? (line.state ?? 'sent') : 'received'}, true,
        ${typeof quoted === 'number' ? (ids[quoted] ?? null) : null}, ${`G${ticketId}X${at}`}) returning id`
    if (stored) await place.db.transaction(tx => claimUpload(tx, null, stored.id, { ticketId }))
    ids.push(Number(row?.id))
    for (const [key, value] of Object.entries(columns)) {
      const column = key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
      const given = typeof value === 'object' && value !== null ? sql.json(value) : value
      await sql`update message set ${sql(column)} = ${given} where id = ${row?.id ?? 0}`
    }
  }
  await sql`update ticket set last_message_id = ${ids.at(-1) ?? null} where id = ${ticketId}`
}

async function fillChats(world: TestSystem, sql: Sql): Promise<GalleryData['chat']> {
  const call = await signInAdministrator(world)
  const team = await sql<
    { id: number; name: string }[]
  >`select id, name from "user" where name like 'Rafael%' or name like 'Bruna%' order by name desc`
  const [rafael, bruna] = team
  const direct = (await call('POST', '/chats', { callingUserId: rafael?.id })) as { id: number }
  const group = (await call('POST', '/chats', {
    isGroup: true,
    groupName: 'Entregas de hoje',
    users: [{ id: rafael?.id }, { id: bruna?.id }],
  })) as { id: number }
  for (const body of ['Rafael, a Dona Lúcia pode pagar na sexta?', 'Ela é cliente desde 2019.'])
    await call('POST', `/chats/messages/${direct.id}`, { body })
  for (const body of ['O caminhão 2 sai às 10h', 'Quem confere a carga do Neco?'])
    await call('POST', `/chats/messages/${group.id}`, { body })
  return { direct: direct.id, group: group.id }
}

/** Messages are sent later too, the AI helps to write, and the official number is connected: it has templates then. */
async function switchOn(world: TestSystem, sql: Sql): Promise<void> {
  const [row] = await sql<{ id: number }[]>`select id from whatsapp where name = 'Oficial São José'`
  const call = await signInAdministrator(world)
  for (const key of ['allowAgendador', 'aiAssist']) await call('PUT', `/settings/${key}`, { value: 'enabled' })
  await call('POST', `/whatsappsession/${row?.id}`)
  await waitUntil('the official number is connected', async () => {
    const [now] = await sql<{ status: string }[]>`select status from whatsapp where id = ${row?.id ?? 0}`
    return now?.status === 'CONNECTED'
  })
}

/** Rafael is in the first conversation and has begun to answer. */
async function openColleague(browser: Browser, world: TestSystem, ticketId: number): Promise<DeskSession> {
  const desk = await signIn(browser, world, { as: 'gerente' })
  await desk.page.goto(`${world.url}/tickets/${ticketId}`)
  await desk.page.getByRole('region', { name: 'Mensagens' }).waitFor()
  return desk
}
