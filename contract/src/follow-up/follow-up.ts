// What is known when a message comes, and what may follow it by itself: the words in which the rules speak (follow-up-rules.ts).

import type { BotQuestion } from '../bot/bot.ts'
import type { CalendarSettings } from '../calendar/calendar.ts'
import type { Settings } from '../settings/settings.ts'
import type { TicketStatus } from '../tickets/ticket.ts'
import type { MenuOption } from './answers.ts'

/** A conversation before a message. */
export interface FollowUpConversation {
  /** The message is the first of a ticket that did not exist before. */
  readonly isNew: boolean
  readonly isGroup: boolean
  readonly status: TicketStatus
  readonly queueId: number | null
  /** How often the menu of queues was shown, while one is to be chosen; null while no choice is asked for. */
  readonly menusShown: number | null
  /** With the bot: how often in a row nothing was chosen, and how often it has answered. */
  readonly botMisses: number
  readonly botTurns: number
  /** The customer was told in this ticket that the company is closed. */
  readonly isToldClosed: boolean
}

/** What is known of every message without asking anybody. */
export interface FollowUpCase {
  readonly conversation: FollowUpConversation
  readonly message: {
    readonly fromMe: boolean
    /** In ms. */
    readonly at: number
    /** Empty for what has no words of a person. */
    readonly text: string
    /** Somebody wants something (`opensTicket` of its kind). */
    readonly wants: boolean
    /** It was written when the menu was there to be read; what was on its way meanwhile is no answer to it. */
    readonly isAnswer: boolean
    /** It rings nobody: thanks for what was just resolved, or a word on mass sends. */
    readonly isQuiet: boolean
  }
  readonly settings: CalendarSettings &
    Pick<
      Settings,
      | 'sendGreetingMessage'
      | 'sendOnlyOnce'
      | 'greetingInterval'
      | 'greetingWithQueue'
      | 'msgOutOfTime'
      | 'optOutWord'
      | 'activeBot'
      | 'botCloseTicket'
      | 'messageBot'
    >
  /** In ms, as `at`. */
  readonly now: number
}

/** What is read where a rule wants it. */
export interface FollowUpFacts {
  readonly connection: {
    readonly greeting: string
    /** In place of it, where a ticket begins with the bot. */
    readonly botGreeting: string
    readonly redirectGreeting: string
    readonly thanks: string
    readonly farewell: string
    /** Its tickets begin with a flow of Typebot's in place of the questions (§10). */
    readonly hasTypebot: boolean
    /** In the order of the menu. */
    readonly queues: readonly { readonly id: number; readonly name: string; readonly greeting: string }[]
  }
  readonly contact: {
    /** `respostaAutomatica`: whether anything is said to it by itself. */
    readonly isAnswered: boolean
    readonly greetedAt: number | null
    readonly isOptedOut: boolean
  }
  /** What the bot answers, in the order of its menu. */
  readonly questions: readonly BotQuestion[]
  /** Who gets the contact's tickets in a queue: its person, then that person's substitute there. */
  readonly redirects: readonly {
    readonly queueId: number
    /** `mayTake`: active, with the queue, within the own hours. */
    readonly people: readonly { readonly userId: number; readonly mayTake: boolean }[]
  }[]
}

export type FollowUp =
  | { readonly do: 'set queue'; readonly queueId: number }
  /** It is open with that person. */
  | { readonly do: 'assign'; readonly userId: number }
  /** `pending`: for people again. */
  | { readonly do: 'set status'; readonly status: 'pending' | 'closed' }
  | { readonly do: 'rate'; readonly rate: number }
  | { readonly do: 'opt out' }
  | { readonly do: 'opt in' }
  /** From now on the choice of a queue is waited for; `menus`: how often they were shown with this one. */
  | { readonly do: 'await queue'; readonly menus: number }
  /** It is with the bot, whose menu stands there now. `turns`: how often it has answered; 0 begins. */
  | { readonly do: 'await answer'; readonly misses: number; readonly turns: number }
  /** The bot is done with it, or stopped: it waits for people. */
  | { readonly do: 'leave bot' }
  /** These words are for the connection's Typebot, which answers later; a ticket that is not with the bot yet begins there. */
  | { readonly do: 'hand to Typebot' }
  /** It is now told that the company is closed. */
  | { readonly do: 'note closed' }
  /** `options`: a menu under the words. `greets`: it counts as a greeting, of which the contact may get only one in a while. */
  | { readonly do: 'say'; readonly text: string; readonly options?: readonly MenuOption[]; readonly greets?: true }

/** The conversation once the steps are carried out: what the next message meets. */
export function applyFollowUps(conversation: FollowUpConversation, steps: readonly FollowUp[]): FollowUpConversation {
  return Object.assign({ ...conversation, isNew: false }, ...steps.map(toConversationChange))
}

function toConversationChange(step: FollowUp): Partial<FollowUpConversation> {
  switch (step.do) {
    case 'set queue':
      return { queueId: step.queueId, menusShown: null }
    case 'assign':
      return { status: 'open' }
    case 'set status':
      return { status: step.status }
    case 'await queue':
      return { menusShown: step.menus }
    case 'await answer':
      return { status: 'bot', botMisses: step.misses, botTurns: step.turns }
    case 'hand to Typebot':
      return { status: 'bot' }
    case 'leave bot':
      return { status: 'pending' }
    case 'note closed':
      return { isToldClosed: true }
    default:
      return {}
  }
}
