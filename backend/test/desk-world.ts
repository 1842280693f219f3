// A company with queues, people, connections and tickets, made row by row, and sessions of its people.
import {
  type Kind,
  type NoticeSettings,
  type Profile,
  parseSettings,
  type TicketStatus,
  type VisibilitySettings,
} from '@balcao/contract'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { hashEmail, seal } from '../src/platform/seal.ts'
import type { Session } from '../src/policy/sessions/authenticate.ts'
import { findViewer } from '../src/policy/users/viewer.ts'

export const PASSWORD = 'Senha@123'
export const DATA_KEY = 'chave-de-teste-chave-de-teste'
/** Of `PASSWORD`, with so little work that whoever signs in during a test costs nothing. */
const HASH =
  '$argon2id$v=19$m=64,t=1,p=1$xwkh+ERdw1ifeVVgXXt+UBHSvleqrPMXLO0ugqnHTDY$LzzZ8e2XDGGgnJY2aPiCCjkkX4UfDjbG4N8tKIW6854'

export interface PersonInput {
  readonly name: string
  readonly profile: Profile
  readonly queueIds?: readonly number[]
  readonly active?: boolean
}

/** Makes a member of the team; the e-mail is the name in lower case at saojose.example. */
export async function makePerson(
  db: Db,
  { name, profile, queueIds = [], active = true }: PersonInput,
): Promise<number> {
  const email = toEmail(name)
  const id = await idOf(
    getSql(db)`insert into "user" (name, email_sealed, email_hash, password_hash, profile, active)
      values (${name}, ${seal(DATA_KEY, email)}, ${hashEmail(DATA_KEY, email)}, ${HASH}, ${profile}, ${active}) returning id`,
  )
  if (queueIds.length > 0)
    await getSql(db)`insert into user_queue (user_id, queue_id) select ${id}, unnest(${[...queueIds]}::int[])`
  return id
}

export function toEmail(name: string): string {
  return `${name.toLowerCase()}@saojose.example`
}

export async function makeQueue(db: Db, name: string): Promise<number> {
  const color = `#${Bun.hash(name).toString(16).slice(0, 6)}`
  return idOf(getSql(db)`insert into queue (name, color) values (${name}, ${color}) returning id`)
}

export async function makeConnection(db: Db, name: string, api: Kind = 'baileys'): Promise<number> {
  return idOf(getSql(db)`insert into whatsapp (name, api, wanted) values (${name}, ${api}, false) returning id`)
}

export async function makeContact(db: Db, name: string, isGroup = false): Promise<number> {
  return idOf(getSql(db)`insert into contact (name, is_group) values (${name}, ${isGroup}) returning id`)
}

export interface TicketInput {
  readonly contactId: number
  readonly whatsappId: number
  readonly status: TicketStatus
  readonly queueId?: number | null
  readonly userId?: number | null
  readonly isGroup?: boolean
  readonly unread?: number
}

export async function makeTicket(db: Db, input: TicketInput): Promise<number> {
  const { contactId, whatsappId, status, queueId = null, userId = null, isGroup = false, unread = 0 } = input
  return idOf(
    getSql(
      db,
    )`insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, is_group, unread_messages, closed_at)
      values (${contactId}, ${whatsappId}, ${status}, ${queueId}, ${userId}, ${isGroup}, ${unread},
        case when ${status} = 'closed' then now() end) returning id`,
  )
}

/** A ticket that Bruna serves; queue, connection and contact are new as she is. */
export async function makeServedTicket(db: Db, profile: Profile, api: Kind = 'baileys'): Promise<number> {
  const queueId = await makeQueue(db, 'Vendas')
  const userId = await makePerson(db, { name: 'Bruna', profile, queueIds: [queueId] })
  const [whatsappId, contactId] = [await makeConnection(db, 'Celular', api), await makeContact(db, 'Padaria')]
  return makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId })
}

/** A connection of the official API that is to run; its phone is 5501. */
export async function makeOfficialLine(db: Db): Promise<number> {
  const id = await makeConnection(db, 'Oficial', 'cloud_api')
  await getSql(
    db,
  )`update whatsapp set wanted = true, config = '{"phoneNumberId":"5501","wabaId":"9901"}' where id = ${id}`
  return id
}

/** A message the customer wrote. */
export async function makeMessage(db: Db, ticketId: number, body: string): Promise<number> {
  return idOf(
    getSql(db)`
      with t as (update ticket set message_seq = message_seq + 1 where id = ${ticketId}
        returning id, contact_id, whatsapp_id, message_seq)
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select id, contact_id, whatsapp_id, message_seq, date_trunc('second', now()), false, ${body}, 'received' from t returning id`,
  )
}

/** The session of a person, without signing in. */
export async function makeSession(
  db: Db,
  userId: number,
  given: Partial<VisibilitySettings & NoticeSettings> = {},
): Promise<Session> {
  const viewer = await findViewer(db, userId)
  if (!viewer) throw new Error('nobody')
  const settings = { ...parseSettings({}), ...given }
  return {
    viewer,
    name: 'Alguém',
    family: 'teste',
    settings,
    mustChangePassword: false,
    works: {
      profile: viewer.profile,
      startTime: '00:00',
      endTime: '23:59',
      weekdays: true,
      saturday: true,
      sunday: true,
      holidays: true,
    },
    mayContacts: { add: true, edit: true, del: true },
  }
}

async function idOf(rows: PromiseLike<readonly { id?: unknown }[]>): Promise<number> {
  const [row] = await rows
  if (row?.id === undefined) throw new Error('nothing was made')
  return Number(row.id)
}

/** A run of a schedule that reached one contact. */
export async function makeRun(db: Db, scheduleId: number, to: { contactId: number; ticketId: number }): Promise<void> {
  await getSql(db)`
    with run as (insert into send (schedule_id, due_at, state, body, recipients)
      select id, now(), 'done', message, '{}' from schedule where id = ${scheduleId} returning id)
    insert into send_recipient (send_id, contact_id, ticket_id, state)
    select id, ${to.contactId}, ${to.ticketId}, 'handed' from run`
}
