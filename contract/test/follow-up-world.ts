// Worlds in which a message comes, for the tables of what follows it.
import { expect } from 'bun:test'
import { decideFollowUp } from '../src/follow-up/decide-follow-up.ts'
import type { FollowUp, FollowUpCase, FollowUpFacts } from '../src/follow-up/follow-up.ts'
import { DEFAULTS } from '../src/settings/settings.ts'

/** A Monday, ten in the morning in São Paulo, and nine in the evening. */
export const NOW = Date.UTC(2026, 0, 5, 13)
export const NIGHT = Date.UTC(2026, 0, 6, 0)
export const MINUTE = 60_000

const NO_ANSWERS = { menusShown: null, botMisses: 0, botTurns: 0 }

export interface FollowUpFixture {
  readonly conversation?: Partial<FollowUpCase['conversation']>
  readonly message?: Partial<FollowUpCase['message']>
  readonly settings?: Partial<FollowUpCase['settings']>
  readonly connection?: Partial<FollowUpFacts['connection']>
  readonly contact?: Partial<FollowUpFacts['contact']>
  readonly questions?: FollowUpFacts['questions']
  readonly redirects?: FollowUpFacts['redirects']
  readonly now?: number
}

export function makeFollowUpCase({ conversation, message, settings, now = NOW }: FollowUpFixture): FollowUpCase {
  const begun = { isGroup: false, status: 'pending', queueId: null, isToldClosed: false, ...NO_ANSWERS } as const
  return {
    conversation: { isNew: true, ...begun, ...conversation },
    message: { fromMe: false, at: now, text: 'Bom dia', wants: true, isAnswer: true, isQuiet: false, ...message },
    settings: { ...DEFAULTS, msgOutOfTime: 'Fechado.', ...settings },
    now,
  }
}

/** What follows, and which facts were read for it. */
export function evaluateFollowUp(world: FollowUpFixture): { steps: readonly FollowUp[]; read: readonly string[] } {
  const all: FollowUpFacts = {
    connection: {
      greeting: 'Bem-vinda!',
      botGreeting: '',
      redirectGreeting: 'Com a Bruna.',
      thanks: 'Obrigada!',
      farewell: '',
      hasTypebot: false,
      queues: [],
      ...world.connection,
    },
    contact: { isAnswered: true, greetedAt: null, isOptedOut: false, ...world.contact },
    questions: world.questions ?? [],
    redirects: world.redirects ?? [],
  }
  const read: (keyof FollowUpFacts)[] = []
  for (;;) {
    const answer = decideFollowUp(makeFollowUpCase(world), Object.fromEntries(read.map(name => [name, all[name]])))
    if ('steps' in answer) return { steps: answer.steps, read }
    expect(read).not.toContain(answer.wants)
    read.push(answer.wants)
  }
}

/** A row of a table: what it is about (a rule's name, or one of its limits), the world, and what follows. */
export type FollowUpRow = readonly [rule: string, world: FollowUpFixture, steps: readonly FollowUp[]]

export function makeSayStep(text: string): FollowUp {
  return { do: 'say', text }
}
