// Worlds that read like a sentence: `await world.aTicket().from('Dona Lúcia').waitingIn('Financeiro').saying('Bom dia')`.
// Names make what they name, once. The clock stands at a Monday morning and goes on a minute with each message.
import type { TicketStatus } from '@balcao/contract'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket, type PersonInput } from './desk-world.ts'

const MONDAY_MORNING = Date.UTC(2026, 0, 5, 12)

export interface TestCompany {
  /** The time of the last thing that happened, in ms. */
  readonly now: number
  queue(name: string): Promise<number>
  connection(name: string): Promise<number>
  contact(name: string): Promise<number>
  /** A member of the team with these queues; made at the first call. */
  member(name: string, profile?: PersonInput['profile'], queues?: readonly string[]): Promise<number>
  aTicket(): TicketSentence
}

/** A sentence about a ticket; awaited, it is there and gives its id. Without more words it waits without a queue. */
export interface TicketSentence extends PromiseLike<number> {
  from(contact: string): TicketSentence
  at(connection: string): TicketSentence
  waitingIn(queue: string): TicketSentence
  inServiceWith(member: string, queue: string): TicketSentence
  pausedBy(member: string, queue: string): TicketSentence
  resolvedBy(member: string, queue: string): TicketSentence
  /** The customer wrote this; each call is one message. */
  saying(text: string): TicketSentence
}

/** A world on this database. */
export function makeTestCompany(db: Db): TestCompany {
  let now = MONDAY_MORNING
  const made = new Map<string, Promise<number>>()

  function once(kind: string, name: string, make: () => Promise<number>): Promise<number> {
    const known = made.get(`${kind} ${name}`) ?? make()
    made.set(`${kind} ${name}`, known)
    return known
  }

  const world: TestCompany = {
    get now() {
      return now
    },
    queue: name => once('queue', name, () => makeQueue(db, name)),
    connection: name => once('connection', name, () => makeConnection(db, name)),
    contact: name => once('contact', name, () => makeContact(db, name)),
    member: (name, profile = 'user', queues = []) =>
      once('member', name, async () =>
        makePerson(db, { name, profile, queueIds: await Promise.all(queues.map(world.queue)) }),
      ),
    aTicket: () => sentence({ contact: 'Dona Lúcia', connection: 'Loja Centro', status: 'pending', says: [] }),
  }

  function sentence(message: Said): TicketSentence {
    const also = (more: Partial<Said>) => sentence({ ...message, ...more })
    return {
      from: contact => also({ contact }),
      at: connection => also({ connection }),
      waitingIn: queue => also({ status: 'pending', queue }),
      inServiceWith: (member, queue) => also({ status: 'open', member, queue }),
      pausedBy: (member, queue) => also({ status: 'paused', member, queue }),
      resolvedBy: (member, queue) => also({ status: 'closed', member, queue }),
      saying: text => also({ says: [...message.says, text] }),
      // biome-ignore lint/suspicious/noThenProperty: the sentence ends where it is awaited
      then: (done, failed) => make(message).then(done, failed),
    }
  }

  async function make({ contact, connection, status, queue, member, says }: Said): Promise<number> {
    const id = await makeTicket(db, {
      contactId: await world.contact(contact),
      whatsappId: await world.connection(connection),
      status,
      queueId: queue === undefined ? null : await world.queue(queue),
      userId: member === undefined ? null : await world.member(member),
    })
    for (const text of says) await write(id, text)
    return id
  }

  async function write(ticketId: number, text: string): Promise<void> {
    now += 60_000
    await getSql(db)`
      with t as (
        update ticket set message_seq = message_seq + 1, unread_messages = unread_messages + 1, last_message = ${text},
          last_message_type = 'chat', last_message_from_me = false, last_message_at = ${new Date(now).toISOString()}::timestamptz, version = version + 1
        where id = ${ticketId} returning id, contact_id, whatsapp_id, message_seq)
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, author_id, body, state)
      select id, contact_id, whatsapp_id, message_seq, ${new Date(now).toISOString()}::timestamptz, false, contact_id, ${text}, 'received' from t`
  }

  return world
}

interface Said {
  readonly contact: string
  readonly connection: string
  readonly status: TicketStatus
  readonly queue?: string
  readonly member?: string
  readonly says: readonly string[]
}
