// The rules of the bot of questions and answers (decisions-2 §9), and where Typebot begins (§10): rules 3 and 6c of §8.

import type { FollowUp, FollowUpCase, FollowUpFacts } from '../follow-up/follow-up.ts'
import {
  ASK_AGAIN,
  ASK_FOR_QUEUE,
  canBeAnswered,
  defineRule,
  type FollowUpRule,
  findInitialQueue,
  findRedirectPerson,
  isClosed,
  isGreeted,
  listNames,
  say,
  tellClosed,
} from '../follow-up/parts.ts'
import { type BotQuestion, buildBotMenu, resolveBotAnswer } from './bot.ts'

/** Rule 3: what is said to a ticket with the bot. Whatever becomes of it, somebody answers: the bot, or people. */
export const BOT_RULES: readonly FollowUpRule[] = [
  defineRule({
    name: 'who writes to the customer by hand ends the bot',
    fits: ({ conversation, message }) => conversation.status === 'bot' && message.fromMe && message.wants,
    wants: [],
    steps: () => [{ do: 'leave bot' }],
  }),
  // Late words too: nobody looks at what the bot has.
  defineRule({
    name: 'what the bot may not answer waits for people',
    fits: known => known.conversation.status === 'bot' && known.message.wants,
    wants: ['contact'],
    steps: (known, { contact }) => (canBeAnswered(known) && contact.isAnswered ? [] : [{ do: 'leave bot' }]),
  }),
  defineRule({
    name: 'what is said to Typebot is handed to it',
    fits: known => isAsked(known) && known.settings.activeBot,
    wants: ['connection'],
    steps: (_, { connection }) => (connection.hasTypebot ? [{ do: 'hand to Typebot' }] : []),
  }),
  defineRule({
    name: 'a bot that was switched off or has no questions leaves its tickets to people',
    fits: isAsked,
    wants: ['connection', 'questions', 'redirects'],
    steps: (known, facts) =>
      known.settings.activeBot && facts.questions.length > 0 ? [] : toPeople(known, facts, COMING),
  }),
  defineRule({
    name: 'whoever asks the bot for somebody gets people',
    fits: isAsked,
    wants: ['connection', 'questions', 'redirects'],
    steps: (known, facts) => (resolveMeaning(known, facts) === 'somebody' ? toPeople(known, facts, COMING) : []),
  }),
  defineRule({
    name: 'whoever ends the bot is said good-bye to',
    fits: isAsked,
    wants: ['connection', 'questions'],
    steps: (known, facts) =>
      resolveMeaning(known, facts) === 'end'
        ? [{ do: 'set status', status: 'closed' }, ...say(facts.connection.farewell.trim() || GOOD_BYE)]
        : [],
  }),
  defineRule({
    name: 'whoever chooses a question gets its answer',
    fits: isAsked,
    wants: ['connection', 'questions', 'redirects'],
    steps: (known, facts) => {
      const meant = resolveMeaning(known, facts)
      return meant && typeof meant === 'object' ? answerTo(meant.question, known, facts) : []
    },
  }),
  defineRule({
    name: 'whoever chooses nothing is told so, and the third time in a row gets people',
    fits: known => isAsked(known) && known.message.isAnswer,
    wants: ['connection', 'questions', 'redirects'],
    steps: (known, facts) => {
      const { botMisses, botTurns } = known.conversation
      const misses = botMisses + 1
      if (misses >= MOST_MISSES || isTooLong(known)) return toPeople(known, facts, COMING)
      const words = known.settings.messageBot.trim() || ASK_AGAIN
      return [{ do: 'await answer', misses, turns: botTurns + 1 }, ...say(words, buildMenu(known, facts))]
    },
  }),
]

/** Rule 6c: a new ticket begins with Typebot, or else with the questions. */
export const BOT_BEGINNINGS: readonly FollowUpRule[] = [
  defineRule({
    name: 'a new ticket is handed to the connection’s Typebot',
    fits: isBotStart,
    wants: ['connection', 'contact', 'redirects'],
    steps: (_, { connection: { hasTypebot, queues }, contact, redirects }) =>
      hasTypebot && contact.isAnswered && !isAwaitingOwnPerson(queues, redirects) ? [{ do: 'hand to Typebot' }] : [],
  }),
  defineRule({
    name: 'a new ticket begins with the bot',
    fits: isBotStart,
    wants: ['connection', 'contact', 'redirects', 'questions'],
    steps: (known, facts) => {
      const { connection, contact, questions, redirects } = facts
      if (questions.length === 0 || !contact.isAnswered || isAwaitingOwnPerson(connection.queues, redirects)) return []
      return isGreeted(known, contact) ? continueBot(known, facts) : startBot(known, facts)
    },
  }),
]

const COMING = 'Certo! Alguém da nossa equipe responde por aqui assim que puder.'
const GOOD_BYE = 'Agradecemos o contato. Quando precisar, é só escrever.'
const ASK = 'Responda com o número do que você procura:'
const MORE = 'Posso ajudar em mais alguma coisa? Responda com o número:'
/** In a row; then people see to it. */
const MOST_MISSES = 3
/** Nobody asks so much: another program answers us. */
const MOST_TURNS = 30

type BotFacts = Pick<FollowUpFacts, 'connection' | 'questions' | 'redirects'>

function isAsked(known: FollowUpCase): boolean {
  return known.conversation.status === 'bot' && canBeAnswered(known)
}

function isBotStart(known: FollowUpCase): boolean {
  return known.conversation.isNew && canBeAnswered(known) && known.settings.activeBot
}

function isTooLong({ conversation }: FollowUpCase): boolean {
  return conversation.botTurns + 1 >= MOST_TURNS
}

/** It stands in the queue of a person of the contact's own who is not there: it waits for that person. */
function isAwaitingOwnPerson(queues: BotFacts['connection']['queues'], redirects: BotFacts['redirects']): boolean {
  const queue = findInitialQueue(queues, redirects)
  return redirects.some(({ queueId }) => queueId === queue)
}

function resolveMeaning({ message, settings }: FollowUpCase, { questions }: Pick<FollowUpFacts, 'questions'>) {
  return resolveBotAnswer(message.text, questions, settings.botCloseTicket)
}

function buildMenu({ settings }: FollowUpCase, { questions }: Pick<FollowUpFacts, 'questions'>) {
  return buildBotMenu(questions, settings.botCloseTicket)
}

function startBot(known: FollowUpCase, facts: BotFacts): FollowUp[] {
  const { botGreeting, greeting } = facts.connection
  // That it is closed was said in place of a greeting.
  const words = (!isClosed(known) && (botGreeting.trim() || greeting.trim())) || ASK
  return [{ do: 'await answer', misses: 0, turns: 0 }, ...say(words, buildMenu(known, facts), true)]
}

/** Whoever was greeted a while ago has the menu in the conversation: a number counts, and the menu is shown without a greeting. */
function continueBot(known: FollowUpCase, facts: BotFacts): FollowUp[] {
  const meant = resolveMeaning(known, facts)
  if (meant && typeof meant === 'object') return answerTo(meant.question, known, facts)
  if (meant === 'somebody') return toPeople(known, facts, COMING)
  return [{ do: 'await answer', misses: 0, turns: 0 }, ...say(ASK, buildMenu(known, facts))]
}

/** The queue of the last question that has one is where the ticket waits should people be asked for later. */
function answerTo(question: BotQuestion, known: FollowUpCase, facts: BotFacts): FollowUp[] {
  const { answer, queueId, opensTicket } = question
  if (opensTicket || isTooLong(known)) return toPeople(known, facts, answer, queueId)
  const turns = known.conversation.isNew ? 0 : known.conversation.botTurns + 1
  return [
    { do: 'await answer', misses: 0, turns },
    ...moveToQueue(known, facts, queueId),
    ...say(answer),
    ...say(MORE, buildMenu(known, facts)),
  ]
}

/** The ticket waits for people: in the queue that was asked for, its own or the connection's only one; else one is asked for (rule 4). */
function toPeople(known: FollowUpCase, facts: BotFacts, words: string, ratingId: number | null = null): FollowUp[] {
  const { conversation, settings } = known
  const { queues, redirectGreeting } = facts.connection
  const [only, ...others] = queues
  const queueId = ratingId ?? conversation.queueId ?? (others.length === 0 ? (only?.id ?? null) : null)
  const closed = isClosed(known)
  const notices = closed && !conversation.isToldClosed && !conversation.isNew ? tellClosed(settings) : []
  const leaving: FollowUp[] = [{ do: 'leave bot' }, ...moveToQueue(known, facts, queueId)]
  if (queueId === null && others.length > 0)
    return [
      ...leaving,
      { do: 'await queue', menus: 1 },
      ...say(words === COMING ? '' : words),
      ...notices,
      ...say(ASK_FOR_QUEUE, listNames(queues)),
    ]
  const person = queueId === null ? null : findRedirectPerson(queueId, facts.redirects)
  return [
    ...leaving,
    ...(person === null ? [] : [{ do: 'assign', userId: person } as const]),
    ...say(words),
    ...notices,
    ...say(person === null || closed ? '' : redirectGreeting),
  ]
}

/** Nothing where it stands there already: a new one by the rule before. */
function moveToQueue({ conversation }: FollowUpCase, facts: BotFacts, queueId: number | null): FollowUp[] {
  const { connection, redirects } = facts
  const now = conversation.isNew ? findInitialQueue(connection.queues, redirects) : conversation.queueId
  return queueId === null || queueId === now ? [] : [{ do: 'set queue', queueId }]
}
