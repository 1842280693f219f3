// The rules of decisions-2 §8, in its order, each a row with a name.

import { BOT_BEGINNINGS, BOT_RULES } from '../bot/rules.ts'
import type { TicketStatus } from '../tickets/ticket.ts'
import { BACK_WORD, isStopMessage, isWord, parseRating, resolveMenuChoice } from './answers.ts'
import type { FollowUpCase } from './follow-up.ts'
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
} from './parts.ts'

/** In the order in which they are asked: the first that fits and has something to do decides, unless it `goesOn`. */
export const FOLLOW_UP_RULES: readonly FollowUpRule[] = [
  defineRule({
    name: 'the word that ends mass sends, and the way back',
    fits: known => canBeAnswered(known) && isOptOutMessage(known.message.text, known.settings),
    wants: ['contact'],
    steps: ({ message, settings }, { contact: { isAnswered, isOptedOut } }) => {
      if (!isAnswered) return []
      if (isOptedOut && isWord(message.text, BACK_WORD))
        return [{ do: 'opt in' }, ...say(formatOptInReply(settings.optOutWord.trim()))]
      return isStopMessage(message.text, settings.optOutWord) ? [{ do: 'opt out' }, ...say(OPTED_OUT)] : []
    },
  }),
  defineRule({
    name: 'a rating ends the survey',
    fits: known =>
      known.conversation.status === 'nps' && canBeAnswered(known) && parseRating(known.message.text) !== null,
    wants: ['connection', 'contact'],
    steps: ({ message }, { connection: { thanks }, contact: { isAnswered } }) => [
      { do: 'rate', rate: parseRating(message.text) ?? 0 },
      { do: 'set status', status: 'closed' },
      ...say(isAnswered ? thanks : ''),
    ],
  }),
  // Also what came late or from whom nothing is said to: nobody looks into a survey.
  defineRule({
    name: 'whoever answers a survey with something else has something to say',
    fits: ({ conversation, message }) =>
      conversation.status === 'nps' && !message.fromMe && message.wants && !message.isQuiet,
    wants: [],
    steps: () => [{ do: 'set status', status: 'pending' }],
  }),
  ...BOT_RULES,
  defineRule({
    name: 'whoever names a queue stands in it',
    fits: known => isAwaitingQueue(known) && canBeAnswered(known),
    wants: ['connection', 'contact', 'redirects'],
    steps: ({ message }, { connection, contact, redirects }) => {
      const { queues, redirectGreeting } = connection
      const queue = queues[resolveMenuChoice(message.text, listNames(queues)) ?? -1]
      if (!queue || !contact.isAnswered) return []
      const person = findRedirectPerson(queue.id, redirects)
      return [
        { do: 'set queue', queueId: queue.id },
        ...(person === null ? [] : [{ do: 'assign', userId: person } as const]),
        ...say(queue.greeting),
        ...say(person === null ? '' : redirectGreeting),
      ]
    },
  }),
  defineRule({
    name: 'whoever names none is shown the menu again, twice',
    fits: known =>
      isAwaitingQueue(known) && canBeAnswered(known) && known.message.isAnswer && countMenusShown(known) < MOST_MENUS,
    wants: ['connection', 'contact'],
    steps: (known, { connection: { queues }, contact }) =>
      contact.isAnswered && queues.length > 0
        ? [{ do: 'await queue', menus: countMenusShown(known) + 1 }, ...say(ASK_AGAIN, listNames(queues))]
        : [],
  }),
  defineRule({
    name: 'a live ticket is told once that the company is closed',
    fits: known => {
      const { isNew, isToldClosed, status } = known.conversation
      return !isNew && !isToldClosed && SERVED.includes(status) && canBeAnswered(known) && isClosed(known)
    },
    wants: ['contact'],
    steps: ({ settings }, { contact }) => (contact.isAnswered ? tellClosed(settings) : []),
  }),
  defineRule({
    name: 'a new ticket stands in its connection’s only queue',
    fits: ({ conversation }) => conversation.isNew,
    wants: ['connection'],
    goesOn: true,
    steps: (_, { connection: { queues } }) => {
      const [only, ...others] = queues
      return only && others.length === 0 ? [{ do: 'set queue', queueId: only.id }] : []
    },
  }),
  defineRule({
    name: 'a new ticket is told that the company is closed',
    fits: known => known.conversation.isNew && canBeAnswered(known) && isClosed(known),
    wants: ['contact'],
    goesOn: true,
    steps: ({ settings }, { contact }) => (contact.isAnswered ? tellClosed(settings) : []),
  }),
  defineRule({
    name: 'the only queue a contact has a person in is the one of its new ticket',
    fits: known => known.conversation.isNew && canBeAnswered(known),
    wants: ['connection', 'redirects'],
    goesOn: true,
    steps: (_, { connection: { queues }, redirects }) => {
      const queueId = queues.length > 1 ? findInitialQueue(queues, redirects) : null
      return queueId === null ? [] : [{ do: 'set queue', queueId }]
    },
  }),
  defineRule({
    name: 'a contact with a person of its own goes to that person, or to the substitute',
    fits: known => known.conversation.isNew && canBeAnswered(known),
    wants: ['connection', 'contact', 'redirects'],
    steps: (known, { connection: { queues, redirectGreeting }, contact, redirects }) => {
      const queueId = findInitialQueue(queues, redirects)
      const userId = queueId === null ? null : findRedirectPerson(queueId, redirects)
      if (userId === null) return []
      return [{ do: 'assign', userId }, ...say(contact.isAnswered && !isClosed(known) ? redirectGreeting : '')]
    },
  }),
  ...BOT_BEGINNINGS,
  defineRule({
    name: 'a new ticket is asked for its queue',
    fits: known => known.conversation.isNew && canBeAnswered(known) && known.settings.greetingWithQueue,
    wants: ['connection', 'contact', 'redirects'],
    steps: (known, { connection: { greeting, queues }, contact, redirects }) => {
      if (queues.length < 2 || findInitialQueue(queues, redirects) !== null || !contact.isAnswered) return []
      // The menu stands in his conversation: a number or name still routes.
      if (isGreeted(known, contact)) return [{ do: 'await queue', menus: MOST_MENUS }]
      const words = isClosed(known) || greeting.trim() === '' ? ASK_FOR_QUEUE : greeting
      return [{ do: 'await queue', menus: 1 }, ...say(words, listNames(queues), true)]
    },
  }),
  defineRule({
    name: 'whoever begins a conversation is greeted',
    fits: known => {
      const { conversation, settings } = known
      return conversation.isNew && canBeAnswered(known) && settings.sendGreetingMessage && !isClosed(known)
    },
    wants: ['connection', 'contact'],
    steps: (known, { connection: { greeting }, contact }) =>
      contact.isAnswered && !isGreeted(known, contact) ? say(greeting, [], true) : [],
  }),
]

/**
 * Whether words may end mass sends or take that back: who says them is to ring nowhere. The way back stands, as it was promised, also
 * where there is no way out any more.
 */
export function isOptOutMessage(text: string, { optOutWord }: FollowUpCase['settings']): boolean {
  return isStopMessage(text, optOutWord) || isWord(text, BACK_WORD)
}

/** Whether it is one of the two words promised for that, and no sentence. */
export function isOptOutWord(text: string, { optOutWord }: FollowUpCase['settings']): boolean {
  return isWord(text, optOutWord) || isWord(text, BACK_WORD)
}

function formatOptInReply(word: string): string {
  return word === '' ? OPTED_IN : `${OPTED_IN} Para deixar de receber nossos envios, responda ${word}.`
}

const OPTED_OUT = `Pronto, você não receberá mais nossos envios. Se mudar de ideia, responda ${BACK_WORD}.`
const OPTED_IN = 'Que bom ter você de volta!'
/** The first, and twice again. */
const MOST_MENUS = 3
/** A person sees to them, or will. */
const SERVED: readonly TicketStatus[] = ['pending', 'open', 'paused']

function isAwaitingQueue({ conversation: { status, queueId, menusShown } }: FollowUpCase): boolean {
  return status === 'pending' && queueId === null && menusShown !== null
}

function countMenusShown({ conversation }: FollowUpCase): number {
  return conversation.menusShown ?? 0
}
