// What stored messages set in motion: the contract's rules decide, and facts are read here where one wants them. apply-follow-ups.ts does it.
import {
  applyFollowUps,
  decideFollowUp,
  type FollowUp,
  type FollowUpCase,
  type FollowUpConversation,
  type FollowUpFacts,
  isOptOutMessage,
  isOptOutWord,
  type Settings,
  shouldOpenTicket,
} from '@balcao/contract'
import { loadBotQuestions } from '../../desk/bot-questions/list.ts'
import type { InboundMessage } from '../../platform/channel/driver.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { canWork, type WorkingTime } from '../../policy/calendar/working-time.ts'
import type { InboxBatch, OpenedTicket, PlacedMessage } from './batch.ts'
import { NO_ANSWERS } from './tickets.ts'

export interface PlannedFollowUp {
  readonly placed: PlacedMessage
  readonly step: FollowUp
}

/**
 * What follows these messages: `moves` to be carried out before anybody is told of the messages, because they change who may see them,
 * and `sayings` after the words they answer. The tickets are told at the end, as they then stand.
 */
export async function planFollowUps(
  receiving: InboxBatch,
  placed: readonly PlacedMessage[],
): Promise<{ readonly moves: PlannedFollowUp[]; readonly sayings: PlannedFollowUp[] }> {
  const tickets = new Map<number, OpenedTicket>()
  const following: PlannedFollowUp[] = []
  const reader = createFactReader(
    receiving,
    placed.map(one => one.contactId),
  )
  for (const one of placed) {
    if (one.event.past) continue
    const ticket = tickets.get(one.ticket.id) ?? one.ticket
    const { conversation, menuShownAt } = ticket
    const known = buildFollowUpCase(receiving, one, conversation, menuShownAt)
    const steps = await planSteps(reader, one.contactId, known)
    // What came together with the first words had not seen the menu that answers them.
    const asks = steps.some(step => step.do === 'await queue' || step.do === 'await answer')
    const after = applyFollowUps(conversation, steps)
    tickets.set(ticket.id, { ...ticket, conversation: after, menuShownAt: asks ? Infinity : menuShownAt })
    following.push(...steps.map(step => ({ placed: one, step })))
  }
  const isSaying = ({ step }: PlannedFollowUp) => step.do === 'say'
  return { moves: following.filter(one => !isSaying(one)), sayings: following.filter(isSaying) }
}

/**
 * Whether a message says no more than that its writer wants no mass sends, or wants them again: it is to ring nowhere. Whoever is being
 * served may mean something else with a sentence ("pare!"), so there only the words promised for it are as sure as that.
 */
export async function isAboutSends(
  receiving: InboxBatch,
  contactId: number,
  event: InboundMessage,
  ticket: OpenedTicket | null | undefined,
): Promise<boolean> {
  const words = getWords(event)
  if (!isOptOutMessage(words, receiving.settings)) return false
  const isServed = ticket?.conversation.status === 'open' || ticket?.conversation.status === 'paused'
  if (isServed && !isOptOutWord(words, receiving.settings)) return false
  const apart = { ...NO_ANSWERS, isNew: false, status: 'closed', queueId: null, isToldClosed: true } as const
  const steps = await planSteps(
    createFactReader(receiving, [contactId]),
    contactId,
    buildFollowUpCase(receiving, { event, quiet: false }, { ...apart, isGroup: event.chat.group }, null),
  )
  return steps.length > 0
}

function buildFollowUpCase(
  { settings }: InboxBatch,
  { event, quiet }: Pick<PlacedMessage, 'event' | 'quiet'>,
  conversation: FollowUpConversation,
  menuShownAt: number | null,
): FollowUpCase {
  const { at, ref } = event
  // Most providers tell whole seconds: the message may be of their end.
  const latest = at % 1000 === 0 ? at + 999 : at
  const message = {
    fromMe: ref.fromMe,
    at,
    text: getWords(event),
    wants: shouldOpenTicket(event),
    isAnswer: menuShownAt === null || latest >= menuShownAt,
    isQuiet: quiet,
  }
  return { conversation, message, settings, now: Date.now() }
}

function getWords({ mediaType, body }: InboundMessage): string {
  return mediaType === 'chat' ? body : ''
}

async function planSteps(reader: FactReader, contactId: number, known: FollowUpCase): Promise<readonly FollowUp[]> {
  const facts: Partial<FollowUpFacts> = {}
  for (;;) {
    const answer = decideFollowUp(known, facts)
    if ('steps' in answer) return answer.steps
    Object.assign(facts, { [answer.wants]: await reader[answer.wants](contactId) })
  }
}

type FactReader = { readonly [F in keyof FollowUpFacts]: (contactId: number) => Promise<FollowUpFacts[F]> }

/** Reads facts once for all messages that came together, those about contacts for all of these contacts. */
function createFactReader(receiving: InboxBatch, contactIds: readonly number[]): FactReader {
  const { tx, settings } = receiving
  const connection = once(() => loadConnectionFacts(receiving))
  const contacts = once(() => loadContactFacts(receiving, contactIds))
  const questions = once(() => loadBotQuestions(tx))
  const redirects = once(() => loadRedirects(tx, settings, contactIds))
  return {
    connection,
    contact: async contactId => (await contacts()).get(contactId) ?? UNKNOWN,
    questions,
    redirects: async contactId => (await redirects()).get(contactId) ?? [],
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= read()
    return answer
  }
}

async function loadConnectionFacts({ tx, connection }: InboxBatch): Promise<FollowUpFacts['connection']> {
  const [row] = await getSql(tx)<FollowUpFacts['connection'][]>`
    select w.greeting_message as greeting, w.greeting_bot_message as "botGreeting", w.greeting_message_redirect as "redirectGreeting",
      w.nps_tks_message as thanks, w.farewell_message as farewell,
      trim(w.public_dns_typebot) <> '' and trim(w.public_id_typebot) <> '' as "hasTypebot",
      coalesce((select json_agg(json_build_object('id', q.id, 'name', q.name, 'greeting', q.greeting_message) order by q.custom_order, q.name collate "pt-BR-x-icu", q.id)
        from whatsapp_queue wq join queue q on q.id = wq.queue_id where wq.whatsapp_id = w.id), '[]') as queues
    from whatsapp w where w.id = ${connection.id}`
  return row ?? NOWHERE
}

async function loadContactFacts(
  { tx }: InboxBatch,
  ids: readonly number[],
): Promise<Map<number, FollowUpFacts['contact']>> {
  const rows = await getSql(tx)<(FollowUpFacts['contact'] & { id: number })[]>`
    select c.id, c.resposta_automatica as "isAnswered", c.opted_out_at is not null as "isOptedOut",
      -- On any line: the company greets a person, not a number of its own.
      (select extract(epoch from max(h.greeted_at))::float8 * 1000 from contact_channel h where h.contact_id = c.id) as "greetedAt"
    from contact c where c.id = any(${[...new Set(ids)]}::int[])`
  return new Map(rows.map(({ id, ...contact }) => [id, contact]))
}

const UNKNOWN: FollowUpFacts['contact'] = { isAnswered: false, greetedAt: null, isOptedOut: false }

/** A connection that is gone says nothing. */
const NOWHERE: FollowUpFacts['connection'] = {
  greeting: '',
  botGreeting: '',
  redirectGreeting: '',
  thanks: '',
  farewell: '',
  hasTypebot: false,
  queues: [],
}

/** Who gets the tickets of each of these contacts, by queue, as it is now. Nobody gets those of who is missing. */
export async function loadRedirects(
  tx: Tx,
  settings: Settings,
  contactIds: readonly number[],
): Promise<Map<number, FollowUpFacts['redirects']>> {
  const rows = await loadRedirectRows(tx, contactIds)
  const now = new Date()
  const toPerson = ({ userId, active, isGone, hasQueue, ...works }: PersonRow) => {
    const mayHave = active && !isGone && (hasQueue || works.profile === 'admin')
    return { userId, mayTake: mayHave && canWork(works, settings, now) }
  }
  const toRedirects = (own: readonly PersonRow[]) =>
    [...Map.groupBy(own, row => row.queueId)].map(([queueId, people]) => ({ queueId, people: people.map(toPerson) }))
  return new Map([...Map.groupBy(rows, row => row.contactId)].map(([id, own]) => [id, toRedirects(own)]))
}

/** Who is named, looked at under the lock that waits for whoever takes something from them (docs/decisions/0208). */
async function loadRedirectRows(tx: Tx, contactIds: readonly number[]): Promise<PersonRow[]> {
  const found = await read()
  if (found.length === 0) return found
  await getSql(tx)`select 1 from "user" where id = any(${found.map(row => row.userId)}::int[]) order by id for share`
  return read()

  function read(): Promise<PersonRow[]> {
    return getSql(tx)<PersonRow[]>`
        select r.contact_id as "contactId", r.queue_id as "queueId", u.id as "userId", u.profile, u.start_time as "startTime",
          u.end_time as "endTime", u.weekdays, u.saturday, u.sunday, u.holidays, u.active, u.deleted_at is not null as "isGone",
          q.queue_id is not null as "hasQueue"
        from contact_redirect r
          left join user_substitute s on s.user_id = r.user_id and s.queue_id = r.queue_id
          join "user" u on u.id in (r.user_id, s.substitute_id)
          left join user_queue q on q.user_id = u.id and q.queue_id = r.queue_id
        where r.contact_id = any(${[...new Set(contactIds)]}::int[]) order by r.contact_id, r.queue_id, u.id <> r.user_id`
  }
}

interface PersonRow extends WorkingTime {
  readonly contactId: number
  readonly queueId: number
  readonly userId: number
  readonly active: boolean
  readonly isGone: boolean
  readonly hasQueue: boolean
}
