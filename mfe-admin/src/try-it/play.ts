// A conversation played in the page: the customer's words, and what the desk would say and do, by the rules the inbox has (decisions-2 §8).
import { RATES, withMenu } from '@balcao/contract/answers'
import { calendarOf } from '@balcao/contract/calendar'
import {
  type Conversation,
  conversationAfter,
  type FollowUp,
  type FollowUpCase,
  type FollowUpFacts,
} from '@balcao/contract/follow-up'
import type { Settings } from '@balcao/contract/settings'
import { whatFollows } from '@balcao/contract/what-follows'
import { fillIn } from '@balcao/contract/wording'

export interface PlayedConnection {
  readonly name: string
  readonly greetingMessage: string
  readonly greetingMessageRedirect: string
  readonly nps: boolean
  readonly npsMessage: string
  readonly npsTksMessage: string
  readonly farewellMessage: string
}

export interface PlayedQueue {
  readonly id: number
  readonly name: string
  readonly greetingMessage: string
}

/** What the conversation is played with: as it stands in the forms, saved or not. */
export interface Stage {
  readonly settings: Settings
  readonly connection: PlayedConnection
  /** Of the connection, in the order of the menu. */
  readonly queues: readonly PlayedQueue[]
}

export interface Line {
  readonly id: number
  readonly isOurs: boolean
  readonly text: string
  readonly at: number
}

export interface Play {
  readonly lines: readonly Line[]
  readonly conversation: Conversation
  readonly greetedAt: number | null
  readonly closedAt: number | null
  readonly isOptedOut: boolean
  readonly rate: number | null
}

const CUSTOMER = { name: 'Ana Souza', number: '+55 31 99876-2210' }
const BEGIN: Conversation = {
  isNew: true,
  isGroup: false,
  status: 'pending',
  queueId: null,
  menusShown: null,
  isToldClosed: false,
}
/** Nobody has written yet. */
export const NOTHING: Play = {
  lines: [],
  conversation: BEGIN,
  greetedAt: null,
  closedAt: null,
  isOptedOut: false,
  rate: null,
}

/** The play after the customer wrote this. */
export function written(stage: Stage, play: Play, text: string, now: number): Play {
  const before = play.conversation
  const closed: Conversation = { ...before, isNew: false, status: 'closed' }
  // A word on sends alone opens no ticket.
  const isQuiet = isOver(before) && stepsOf(stage, play, closed, text, now).length > 0
  const conversation = isQuiet ? closed : isOver(before) ? reopened(stage, play, now) : before
  const steps = stepsOf(stage, play, conversation, text, now)
  return followed(stage, { ...play, lines: lineAfter(play.lines, false, text, now) }, conversation, steps, now)
}

/** The play after somebody of the team resolved the ticket (§11). */
export function resolved(stage: Stage, play: Play, now: number): Play {
  const { nps, npsMessage, farewellMessage } = stage.connection
  const conversation: Conversation = { ...play.conversation, status: nps ? 'nps' : 'closed' }
  const steps: FollowUp[] = nps
    ? [{ do: 'say', text: npsMessage, options: RATES }]
    : farewellMessage.trim() === ''
      ? []
      : [{ do: 'say', text: farewellMessage }]
  return { ...followed(stage, play, conversation, steps, now), closedAt: now }
}

/** Nothing is live: nobody has written, or all was said. */
export function isOver({ isNew, status }: Conversation): boolean {
  return isNew || status === 'closed'
}

/** A moment at which the company is open or closed, from now on; null where there is none within a week. */
export function momentOf(settings: Settings, wanted: 'open' | 'closed', now: number): number | null {
  const calendar = calendarOf(settings)
  if (wanted === 'open') return calendar.nextOpening(new Date(now))?.getTime() ?? null
  for (let at = now; at < now + 8 * 86_400_000; at += 15 * 60_000) if (!calendar.isOpen(new Date(at))) return at
  return null
}

function reopened({ settings }: Stage, { conversation, closedAt }: Play, now: number): Conversation {
  const isBack = closedAt !== null && now - closedAt < settings.timeCreateNewTicket * 60_000
  return isBack ? { ...conversation, status: 'pending', menusShown: null } : BEGIN
}

function stepsOf(stage: Stage, play: Play, conversation: Conversation, text: string, now: number) {
  const { settings, connection, queues } = stage
  const message = { fromMe: false, at: now, text, wants: true, isAnswer: true }
  const known: FollowUpCase = { conversation, message, settings, now }
  const facts: FollowUpFacts = {
    connection: {
      greeting: connection.greetingMessage,
      redirectGreeting: connection.greetingMessageRedirect,
      thanks: connection.npsTksMessage,
      queues: queues.map(({ id, name, greetingMessage }) => ({ id, name, greeting: greetingMessage })),
    },
    contact: { isAnswered: true, greetedAt: play.greetedAt, isOptedOut: play.isOptedOut },
    redirects: [],
  }
  const answer = whatFollows(known, facts)
  return 'steps' in answer ? answer.steps : []
}

function followed(stage: Stage, play: Play, before: Conversation, steps: readonly FollowUp[], now: number): Play {
  const conversation = conversationAfter(before, steps)
  const queue = stage.queues.find(({ id }) => id === conversation.queueId)?.name ?? ''
  const words = { ...CUSTOMER, queue, user: '' }
  let next: Play = { ...play, conversation }
  for (const step of steps) {
    if (step.do === 'say') {
      const said = fillIn(step.text, words, stage.settings.timezone, new Date(now))
      const lines = lineAfter(next.lines, true, withMenu(said, step.options ?? []), now)
      next = { ...next, lines, greetedAt: step.greets ? now : next.greetedAt }
    }
    if (step.do === 'rate') next = { ...next, rate: step.rate, closedAt: now }
    if (step.do === 'opt out' || step.do === 'opt in') next = { ...next, isOptedOut: step.do === 'opt out' }
  }
  return next
}

function lineAfter(lines: readonly Line[], isOurs: boolean, text: string, at: number): Line[] {
  return [...lines, { id: lines.length, isOurs, text, at }]
}
