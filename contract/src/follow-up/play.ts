// A conversation played in the page: the customer's words, and what the desk would say and do, by the rules the inbox has (decisions-2 §8).

import type { BotQuestion } from '../bot/bot.ts'
import { getCalendar } from '../calendar/calendar.ts'
import { hasFlow } from '../connections/rules.ts'
import { fillTextPlaceholders } from '../messages/wording.ts'
import type { Settings } from '../settings/settings.ts'
import { appendMenu, RATES } from './answers.ts'
import { decideFollowUp } from './decide-follow-up.ts'
import {
  applyFollowUps,
  type FollowUp,
  type FollowUpCase,
  type FollowUpConversation,
  type FollowUpFacts,
} from './follow-up.ts'
import { isOnlyThanks } from './phrases.ts'

export interface PlayedConnection {
  readonly name: string
  readonly greetingMessage: string
  readonly greetingBotMessage: string
  readonly greetingMessageRedirect: string
  readonly nps: boolean
  readonly npsMessage: string
  readonly npsTksMessage: string
  readonly farewellMessage: string
  readonly publicDNSTypebot: string
  readonly publicIDTypebot: string
}

export interface PlayedQueue {
  readonly id: number
  readonly name: string
  readonly greetingMessage: string
}

export interface PlayedQuestion {
  readonly pergunta: string
  readonly resposta: string
  readonly queueId: number | null
  readonly openTicket: boolean
  readonly queue: { readonly name: string } | null
}

/** What the conversation is played with: as it stands in the forms, saved or not. */
export interface PlaySetup {
  readonly settings: Settings
  readonly connection: PlayedConnection
  /** Of the connection, in the order of the menu. */
  readonly queues: readonly PlayedQueue[]
  /** In the order of the bot's menu. */
  readonly questions: readonly PlayedQuestion[]
  /** Who gets the tickets of the customer who is played; nobody unless given. */
  readonly redirects?: FollowUpFacts['redirects']
}

export interface PlayedLine {
  readonly id: number
  readonly isOurs: boolean
  readonly text: string
  readonly at: number
}

export interface Play {
  readonly lines: readonly PlayedLine[]
  readonly conversation: FollowUpConversation
  /** Whose it is. */
  readonly userId: number | null
  readonly greetedAt: number | null
  readonly closedAt: number | null
  readonly isOptedOut: boolean
  readonly rate: number | null
  /** The line in which the bot answered what was written last. */
  readonly answered: number | null
}

const CUSTOMER = { name: 'Ana Souza', number: '+55 31 99876-2210' }
const BEGIN: FollowUpConversation = {
  isNew: true,
  isGroup: false,
  status: 'pending',
  queueId: null,
  menusShown: null,
  botMisses: 0,
  botTurns: 0,
  isToldClosed: false,
}
/** Nobody has written yet. */
export const NOTHING: Play = {
  lines: [],
  conversation: BEGIN,
  userId: null,
  greetedAt: null,
  closedAt: null,
  isOptedOut: false,
  rate: null,
  answered: null,
}

/** The play after the customer wrote this. */
export function playCustomerMessage(stage: PlaySetup, play: Play, text: string, now: number): Play {
  const before = play.conversation
  const closed: FollowUpConversation = { ...before, isNew: false, status: 'closed' }
  // A word on sends alone opens no ticket, nor do thanks for the last one.
  const isQuiet =
    isThanks(stage, play, text, now) || (isOver(before) && decidePlaySteps(stage, play, closed, text, now).length > 0)
  const conversation = !isOver(before) ? before : isQuiet ? closed : reopenConversation(stage, play, now)
  const steps = decidePlaySteps(stage, play, conversation, text, now, isQuiet)
  const lines = appendLine(play.lines, false, text, now)
  return applyPlaySteps(
    stage,
    { ...play, lines, userId: isOver(before) ? null : play.userId },
    conversation,
    steps,
    now,
  )
}

/** The play after somebody of the team resolved the ticket (§11). */
export function playResolution(stage: PlaySetup, play: Play, now: number): Play {
  const { nps, npsMessage, farewellMessage } = stage.connection
  const conversation: FollowUpConversation = { ...play.conversation, status: nps ? 'nps' : 'closed' }
  const steps: FollowUp[] = nps
    ? [{ do: 'say', text: npsMessage, options: RATES }]
    : farewellMessage.trim() === ''
      ? []
      : [{ do: 'say', text: farewellMessage }]
  return { ...applyPlaySteps(stage, play, conversation, steps, now), closedAt: now }
}

/** Nothing is live: nobody has written, or all was said. */
export function isOver({ isNew, status }: FollowUpConversation): boolean {
  return isNew || status === 'closed'
}

/** What a queue is called, of the connection or one that a question leads to. */
export function findQueueName(
  { queues, questions }: Pick<PlaySetup, 'queues' | 'questions'>,
  id: number | null,
): string | null {
  if (id === null) return null
  return (
    queues.find(queue => queue.id === id)?.name ?? questions.find(({ queueId }) => queueId === id)?.queue?.name ?? null
  )
}

/** A moment at which the company is open or closed, from now on; null where there is none within a week. */
export function findMoment(settings: Settings, wanted: 'open' | 'closed', now: number): number | null {
  const calendar = getCalendar(settings)
  if (wanted === 'open') return calendar.nextOpening(new Date(now))?.getTime() ?? null
  for (let at = now; at < now + 8 * 86_400_000; at += 15 * 60_000) if (!calendar.isOpen(new Date(at))) return at
  return null
}

function isThanks(
  { settings: { thanksMinutes } }: PlaySetup,
  { closedAt, conversation }: Play,
  text: string,
  now: number,
): boolean {
  const isResolved = isOver(conversation) || conversation.status === 'nps'
  return isResolved && closedAt !== null && now - closedAt < thanksMinutes * 60_000 && isOnlyThanks(text)
}

function reopenConversation(
  { settings }: PlaySetup,
  { conversation, closedAt }: Play,
  now: number,
): FollowUpConversation {
  const isBack = closedAt !== null && now - closedAt < settings.timeCreateNewTicket * 60_000
  return isBack ? { ...conversation, status: 'pending', menusShown: null } : BEGIN
}

function decidePlaySteps(
  stage: PlaySetup,
  play: Play,
  conversation: FollowUpConversation,
  text: string,
  now: number,
  isQuiet = false,
) {
  const { settings, connection, queues, questions } = stage
  const message = { fromMe: false, at: now, text, wants: true, isAnswer: true, isQuiet }
  const known: FollowUpCase = { conversation, message, settings, now }
  const facts: FollowUpFacts = {
    connection: {
      greeting: connection.greetingMessage,
      botGreeting: connection.greetingBotMessage,
      redirectGreeting: connection.greetingMessageRedirect,
      thanks: connection.npsTksMessage,
      farewell: connection.farewellMessage,
      hasTypebot: hasFlow(connection),
      queues: queues.map(({ id, name, greetingMessage }) => ({ id, name, greeting: greetingMessage })),
    },
    contact: { isAnswered: true, greetedAt: play.greetedAt, isOptedOut: play.isOptedOut },
    questions: questions.map(toBotQuestion),
    redirects: stage.redirects ?? [],
  }
  const answer = decideFollowUp(known, facts)
  return 'steps' in answer ? answer.steps : []
}

function toBotQuestion({
  pergunta: text,
  resposta: answer,
  queueId,
  openTicket: opensTicket,
}: PlayedQuestion): BotQuestion {
  return { text, answer, queueId, opensTicket }
}

function applyPlaySteps(
  stage: PlaySetup,
  play: Play,
  before: FollowUpConversation,
  steps: readonly FollowUp[],
  now: number,
): Play {
  const conversation = applyFollowUps(before, steps)
  const queue = findQueueName(stage, conversation.queueId) ?? ''
  const words = { ...CUSTOMER, queue, user: '' }
  let next: Play = { ...play, conversation, answered: null }
  const isBots = steps.some(step => step.do === 'await answer' || step.do === 'leave bot')
  for (const step of steps) {
    if (step.do === 'say') {
      const text = fillTextPlaceholders(step.text, words, stage.settings.timezone, new Date(now))
      const answered = isBots && !step.options ? (next.answered ?? next.lines.length) : next.answered
      const lines = appendLine(next.lines, true, appendMenu(text, step.options ?? []), now)
      next = { ...next, lines, answered, greetedAt: step.greets ? now : next.greetedAt }
    }
    if (step.do === 'assign') next = { ...next, userId: step.userId }
    if (step.do === 'set status' && step.status === 'closed') next = { ...next, closedAt: now }
    if (step.do === 'rate') next = { ...next, rate: step.rate }
    if (step.do === 'opt out' || step.do === 'opt in') next = { ...next, isOptedOut: step.do === 'opt out' }
  }
  return next
}

function appendLine(lines: readonly PlayedLine[], isOurs: boolean, text: string, at: number): PlayedLine[] {
  return [...lines, { id: lines.length, isOurs, text, at }]
}
