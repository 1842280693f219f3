// One conversation after the other, each as it goes at a desk: the customer writes, somebody of the team sees it at the socket, accepts and
// opens it, they write to each other, one in eight is handed on to another team, and it is closed.
import type { AgentAtWork, MessageMark, ReceivedMark } from './agents.ts'
import type { BenchDesk } from './desk.ts'
import { retryUntilTaken } from './soak-load.ts'

export interface BenchTeam {
  readonly whatsappId: number
  readonly queueId: number
  readonly agents: readonly AgentAtWork[]
}

/** A message, and whose sockets have to be told of it. */
export interface WrittenMessage {
  readonly mark: MessageMark
  readonly by: readonly AgentAtWork[]
}

export interface WorkingDay {
  readonly onMessage: (heard: ReceivedMark, agent: number) => void
  readonly written: readonly WrittenMessage[]
  /** First words, which the whole team has to be told of. */
  readonly first: readonly { readonly mark: MessageMark; readonly team: BenchTeam }[]
  progress(): { readonly conversations: number; readonly done: number; readonly calls: number }
  /** How much of the day is over, 0 to 1. */
  share(): number
  work(teams: readonly BenchTeam[], atOnce: number): Promise<void>
}

const ROUNDS = 3
/** One conversation in so many is handed on. */
const HANDED_ON = 8
/** Customers of a line who come back; who is handed on comes once. */
const REGULARS = 200
const HEARD_WITHIN_S = 120

export function startDay({ sql, simulator, cloud, phones }: BenchDesk, conversations: number): WorkingDay {
  const written: WrittenMessage[] = []
  const first: { mark: MessageMark; team: BenchTeam }[] = []
  const waiting = new Map<string, (heard: ReceivedMark) => void>()
  const customers = new Map<string, (text: string) => Promise<unknown>>()
  let begun = 0
  let done = 0
  let calls = 0
  let numbered = 0

  /** Who writes to this line; the same one always by the same number. */
  function customerOf({ whatsappId }: BenchTeam, n: number): (text: string) => Promise<unknown> {
    const isRegular = n % HANDED_ON !== 0
    const key = `${whatsappId} ${isRegular ? n % REGULARS : `once ${n}`}`
    const known = customers.get(key)
    if (known) return known
    const number = `553198${String(customers.size).padStart(7, '0')}`
    const line = cloud.find(each => each.whatsappId === whatsappId)
    const phone = phones.find(each => each.whatsappId === whatsappId)
    const made = line
      ? createSender(simulator.graph.customer({ number, name: `Cliente ${number}` }), line.business)
      : phone && createSender(simulator.whatsapp.customer({ number, name: `Cliente ${number}` }), phone.company)
    if (!made) throw new Error(`There is no line ${whatsappId}`)
    customers.set(key, made)
    return made
  }

  async function call(agent: AgentAtWork, method: string, path: string, body?: unknown): Promise<void> {
    await retryUntilTaken(() => {
      calls++
      return agent.call(method, path, body)
    })
  }

  /** Resolves when the socket of this agent is told of it. */
  function waitForMark(agent: AgentAtWork, mark: MessageMark): Promise<ReceivedMark> {
    const heard = Promise.withResolvers<ReceivedMark>()
    const late = setTimeout(() => void untold(agent, mark).then(heard.reject, heard.reject), HEARD_WITHIN_S * 1000)
    waiting.set(`${agent.id} ${mark}`, now => {
      clearTimeout(late)
      heard.resolve(now)
    })
    return heard.promise
  }

  /** Why, as far as the database knows. */
  async function untold(agent: AgentAtWork, mark: MessageMark): Promise<Error> {
    const known = await sql`
      select m.at, m.state, t.id, t.status, t.user_id, t.queue_id, t.whatsapp_id from message m join ticket t on t.id = m.ticket_id where m.body = ${mark}`
    const rows = await sql`
      select xid::text as xid, id, audience, created_at as at, pg_current_snapshot()::text as snapshot from live_event
      where payload like ${`%"${mark}"%`}`
    return new Error(
      `Agent ${agent.id} was not told of ${mark} in ${HEARD_WITHIN_S} s: ${JSON.stringify({ known, rows, cursor: agent.line.cursor, isOpen: agent.line.isOpen })}`,
    )
  }

  async function sendAndWait(agent: AgentAtWork, ask: (text: string) => Promise<unknown>): Promise<ReceivedMark> {
    const mark: MessageMark = `IN-${numbered++}.`
    written.push({ mark, by: [agent] })
    const heard = waitForMark(agent, mark)
    await ask(mark)
    return heard
  }

  async function answered(agent: AgentAtWork, ticketId: number): Promise<void> {
    const mark: MessageMark = `OUT-${numbered++}.`
    written.push({ mark, by: [agent] })
    const heard = waitForMark(agent, mark)
    await call(agent, 'POST', `/messages/${ticketId}`, { body: mark, clientId: mark })
    await heard
  }

  /** Accepts it and looks at it, as a page does. */
  async function taken(agent: AgentAtWork, ticketId: number): Promise<void> {
    await call(agent, 'PUT', `/tickets/${ticketId}`, { status: 'open' })
    agent.line.say({ type: 'joinChatBox', ticketId })
    await call(agent, 'GET', `/messages/${ticketId}?pageNumber=1`)
    await call(agent, 'POST', `/tickets/${ticketId}/read`)
    await call(agent, 'GET', '/tickets?status=open')
  }

  async function held(teams: readonly BenchTeam[], n: number): Promise<void> {
    const team = teams[n % teams.length]
    const next = teams[(n + 1) % teams.length]
    if (!team || !next) throw new Error('Nobody is at work')
    const turn = Math.floor(n / teams.length)
    const agent = pickAgent(team, turn)
    const customer = customerOf(team, turn)
    const { ticketId, mark } = await sendAndWait(agent, customer)
    first.push({ mark, team })
    await taken(agent, ticketId)
    for (let round = 0; round < ROUNDS; round++) {
      agent.line.say({ type: 'typing', ticketId, state: 'typing' })
      await answered(agent, ticketId)
      await sendAndWait(agent, customer)
    }
    agent.line.say({ type: 'leaveChatBox', ticketId })
    const last = turn % HANDED_ON === 0 ? await handedOn(agent, ticketId, next, turn, customer) : agent
    await call(last, 'PUT', `/tickets/${ticketId}`, { status: 'closed', onlyClose: true })
    done++
  }

  async function handedOn(
    agent: AgentAtWork,
    ticketId: number,
    to: BenchTeam,
    turn: number,
    customer: (text: string) => Promise<unknown>,
  ): Promise<AgentAtWork> {
    const other = pickAgent(to, turn + 1)
    const where = { status: 'pending', queueId: to.queueId, userId: null, transferMessage: 'Segue com vocês' }
    await call(agent, 'PUT', `/tickets/${ticketId}`, where)
    await taken(other, ticketId)
    await answered(other, ticketId)
    await sendAndWait(other, customer)
    other.line.say({ type: 'leaveChatBox', ticketId })
    return other
  }

  return {
    onMessage(heard, agent) {
      const key = `${agent} ${heard.mark}`
      waiting.get(key)?.(heard)
      waiting.delete(key)
    },
    written,
    first,
    progress: () => ({ conversations, done, calls }),
    share: () => done / conversations,
    async work(teams, atOnce) {
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let n = begun++; n < conversations; n = begun++) await held(teams, n)
        }),
      )
    },
  }
}

function pickAgent({ agents }: BenchTeam, turn: number): AgentAtWork {
  const agent = agents[turn % agents.length]
  if (!agent) throw new Error('A team has nobody')
  return agent
}

/** A customer writes to one line, after what was written before has left the phone. */
function createSender<To>(
  customer: { send(to: To, content: { type: 'text'; text: string }): Promise<unknown> },
  to: To,
): (text: string) => Promise<unknown> {
  return text => customer.send(to, { type: 'text', text })
}
