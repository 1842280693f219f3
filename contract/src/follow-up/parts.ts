// What the rules of follow-up-rules.ts and bot-rules.ts are made of.

import { getCalendar } from '../calendar/calendar.ts'
import type { MenuOption } from './answers.ts'
import type { FollowUp, FollowUpCase, FollowUpFacts } from './follow-up.ts'

export interface FollowUpRow<F extends keyof FollowUpFacts, Given> {
  readonly name: string
  /** Whether it may apply, by what is known without asking. */
  readonly fits: (known: FollowUpCase) => boolean
  readonly wants: readonly F[]
  readonly steps: (known: FollowUpCase, facts: Given) => readonly FollowUp[]
  readonly goesOn?: true
}
export type FollowUpRule = FollowUpRow<keyof FollowUpFacts, Partial<FollowUpFacts>>
export type Queues = FollowUpFacts['connection']['queues']
export type Redirects = FollowUpFacts['redirects']

/** One row: its steps are asked with the facts it wants. */
export function defineRule<F extends keyof FollowUpFacts>(row: FollowUpRow<F, Pick<FollowUpFacts, F>>): FollowUpRule {
  const isKnown = (facts: Partial<FollowUpFacts>): facts is Pick<FollowUpFacts, F> & Partial<FollowUpFacts> =>
    row.wants.every(name => facts[name] !== undefined)
  return { ...row, steps: (known, facts) => (isKnown(facts) ? row.steps(known, facts) : []) }
}

/** Nothing where there are no words. */
export function say(text: string, options: readonly MenuOption[] = [], greets = false): FollowUp[] {
  if (text.trim() === '') return []
  return [{ do: 'say', text, ...(options.length > 0 && { options }), ...(greets && { greets }) }]
}

/** Whoever is to choose a queue is asked so, where the connection has no greeting. */
export const ASK_FOR_QUEUE = 'Escolha uma opção e responda com o número dela:'
/** Whoever chose nothing is asked again so. */
export const ASK_AGAIN = 'Não encontrei essa opção. Responda com o número de uma destas:'
const STALE_MS = 10 * 60_000

/** Nothing is said in groups, to ourselves, or to somebody who wrote longer ago as if it were now. */
export function canBeAnswered({ conversation, message, now }: FollowUpCase): boolean {
  return !conversation.isGroup && !message.fromMe && message.wants && now - message.at <= STALE_MS
}

export function isClosed({ settings, now }: FollowUpCase): boolean {
  return !getCalendar(settings).isOpen(new Date(now))
}

export function isGreeted({ settings, now }: FollowUpCase, { greetedAt }: FollowUpFacts['contact']): boolean {
  return settings.sendOnlyOnce && greetedAt !== null && greetedAt > now - settings.greetingInterval * 1000
}

export function tellClosed({ msgOutOfTime }: FollowUpCase['settings']): FollowUp[] {
  return [{ do: 'note closed' }, ...say(msgOutOfTime)]
}

export function listNames(queues: Queues): string[] {
  return queues.map(({ name }) => name)
}

/** The queue a new ticket stands in without being asked: the connection's only one, or the only one the contact has a person in. */
export function findInitialQueue(queues: Queues, redirects: Redirects): number | null {
  const own = queues.length > 1 ? queues.filter(({ id }) => redirects.some(({ queueId }) => queueId === id)) : queues
  return own.length === 1 ? (own[0]?.id ?? null) : null
}

/** Who gets the contact's tickets in a queue; null: they wait. */
export function findRedirectPerson(queue: number, redirects: Redirects): number | null {
  const people = redirects.find(({ queueId }) => queueId === queue)?.people ?? []
  return people.find(({ mayTake }) => mayTake)?.userId ?? null
}
