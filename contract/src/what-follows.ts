// What a message sets in motion by itself (decisions-2 §8): rules in one order, each a row. No I/O: whoever asks reads only the facts
// that a rule wants, and carries out what follows. The inbox does so for every message it stores; a page can play it.
import type { Settings } from './settings.ts'

/** What is known of every message without asking anybody. */
export interface FollowUpCase {
  readonly conversation: {
    /** The message is the first of a ticket that did not exist before. */
    readonly isNew: boolean
    readonly isGroup: boolean
  }
  readonly message: { readonly fromMe: boolean; readonly at: number }
  readonly settings: Pick<Settings, 'sendGreetingMessage' | 'sendOnlyOnce' | 'greetingInterval'>
  /** In ms, as `at`. */
  readonly now: number
}

/** What is read where a rule wants it. */
export interface FollowUpFacts {
  readonly connection: { readonly greeting: string; readonly queueIds: readonly number[] }
  readonly contact: { readonly greetedAt: number | null }
}

export type FollowUp =
  | { readonly do: 'set queue'; readonly queueId: number }
  /** `greets`: it counts as a greeting, of which the contact may get only one in a while. */
  | { readonly do: 'say'; readonly text: string; readonly greets?: true }

/** What follows, or which fact must be known first: ask again with it. */
export function whatFollows(
  known: FollowUpCase,
  facts: Partial<FollowUpFacts>,
): { readonly steps: readonly FollowUp[] } | { readonly wants: keyof FollowUpFacts } {
  const steps: FollowUp[] = []
  for (const rule of FOLLOW_UP_RULES) {
    if (!rule.fits(known)) continue
    const missing = rule.wants.find(name => facts[name] === undefined)
    if (missing) return { wants: missing }
    const more = rule.steps(known, facts)
    steps.push(...more)
    if (more.length > 0 && !rule.goesOn) break
  }
  return { steps }
}

/** In the order in which they are asked: the first that fits and has something to do decides, unless it `goesOn`. */
export const FOLLOW_UP_RULES: readonly Rule[] = [
  rule({
    name: 'a new ticket stands in its connection’s only queue',
    fits: ({ conversation }) => conversation.isNew,
    wants: ['connection'],
    goesOn: true,
    steps: (_, { connection: { queueIds } }) => {
      const [only, ...others] = queueIds
      return only === undefined || others.length > 0 ? [] : [{ do: 'set queue', queueId: only }]
    },
  }),
  rule({
    name: 'whoever begins a conversation is greeted',
    fits: known => known.conversation.isNew && mayBeAnswered(known) && known.settings.sendGreetingMessage,
    wants: ['connection', 'contact'],
    steps: ({ settings, now }, { connection: { greeting }, contact: { greetedAt } }) => {
      const isGreeted = greetedAt !== null && greetedAt > now - settings.greetingInterval * 1000
      if (greeting.trim() === '' || (settings.sendOnlyOnce && isGreeted)) return []
      return [{ do: 'say', text: greeting, greets: true }]
    },
  }),
]

interface Row<F extends keyof FollowUpFacts, Given> {
  readonly name: string
  /** Whether it may apply, by what is known without asking. */
  readonly fits: (known: FollowUpCase) => boolean
  readonly wants: readonly F[]
  readonly steps: (known: FollowUpCase, facts: Given) => readonly FollowUp[]
  readonly goesOn?: true
}
type Rule = Row<keyof FollowUpFacts, Partial<FollowUpFacts>>

/** One row: its steps are asked with the facts it wants. */
function rule<F extends keyof FollowUpFacts>(row: Row<F, Pick<FollowUpFacts, F>>): Rule {
  const isKnown = (facts: Partial<FollowUpFacts>): facts is Pick<FollowUpFacts, F> & Partial<FollowUpFacts> =>
    row.wants.every(name => facts[name] !== undefined)
  return { ...row, steps: (known, facts) => (isKnown(facts) ? row.steps(known, facts) : []) }
}

const STALE_MS = 10 * 60_000

/** Nothing is said in groups, to ourselves, or to somebody who wrote longer ago as if it were now. */
function mayBeAnswered({ conversation, message, now }: FollowUpCase): boolean {
  return !conversation.isGroup && !message.fromMe && now - message.at <= STALE_MS
}
