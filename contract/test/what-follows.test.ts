// What a message sets in motion, as a table: a world, a message, and what follows (decisions-2 §8).
import { describe, expect, test } from 'bun:test'
import {
  FOLLOW_UP_RULES,
  type FollowUp,
  type FollowUpCase,
  type FollowUpFacts,
  whatFollows,
} from '../src/what-follows.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const MINUTE = 60_000

interface World {
  readonly conversation?: Partial<FollowUpCase['conversation']>
  readonly message?: Partial<FollowUpCase['message']>
  readonly settings?: Partial<FollowUpCase['settings']>
  readonly connection?: Partial<FollowUpFacts['connection']>
  readonly contact?: Partial<FollowUpFacts['contact']>
}

function caseOf({ conversation, message, settings }: World): FollowUpCase {
  return {
    conversation: { isNew: true, isGroup: false, ...conversation },
    message: { fromMe: false, at: NOW, ...message },
    settings: { sendGreetingMessage: true, sendOnlyOnce: false, greetingInterval: 3600, ...settings },
    now: NOW,
  }
}

/** What follows, and which facts were read for it. */
function following(world: World): { steps: readonly FollowUp[]; read: readonly string[] } {
  const all: FollowUpFacts = {
    connection: { greeting: 'Bem-vinda!', queueIds: [], ...world.connection },
    contact: { greetedAt: null, ...world.contact },
  }
  const read: (keyof FollowUpFacts)[] = []
  for (;;) {
    const answer = whatFollows(caseOf(world), Object.fromEntries(read.map(name => [name, all[name]])))
    if ('steps' in answer) return { steps: answer.steps, read }
    expect(read).not.toContain(answer.wants)
    read.push(answer.wants)
  }
}

const GREETING: FollowUp = { do: 'say', text: 'Bem-vinda!', greets: true }
const ROUTING: FollowUp = { do: 'set queue', queueId: 7 }

/** One row a rule, then its limits. */
const TABLE: readonly (readonly [rule: string, world: World, steps: readonly FollowUp[]])[] = [
  ['a new ticket stands in its connection’s only queue', { connection: { queueIds: [7], greeting: '' } }, [ROUTING]],
  ['a new ticket of a group too', { conversation: { isGroup: true }, connection: { queueIds: [7] } }, [ROUTING]],
  ['a new ticket begun on the phone too', { message: { fromMe: true }, connection: { queueIds: [7] } }, [ROUTING]],
  ['of two queues none is chosen', { connection: { queueIds: [7, 8], greeting: '' } }, []],
  ['whoever begins a conversation is greeted', {}, [GREETING]],
  ['the queue comes first', { connection: { queueIds: [7] } }, [ROUTING, GREETING]],
  ['a ticket that was there is left alone', { conversation: { isNew: false }, connection: { queueIds: [7] } }, []],
  ['a group is not greeted', { conversation: { isGroup: true } }, []],
  ['we do not greet ourselves', { message: { fromMe: true } }, []],
  ['ten minutes later is still now', { message: { at: NOW - 10 * MINUTE } }, [GREETING]],
  ['a replay of longer ago is not answered', { message: { at: NOW - 10 * MINUTE - 1 } }, []],
  ['the setting switches the greeting off', { settings: { sendGreetingMessage: false } }, []],
  ['a connection without words says nothing', { connection: { greeting: ' \n' } }, []],
  ['greeted again each time', { contact: { greetedAt: NOW - MINUTE } }, [GREETING]],
  ['only once in the interval', { settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - 59 * MINUTE } }, []],
  [
    'only once, and then once more after it',
    { settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - 60 * MINUTE } },
    [GREETING],
  ],
]

describe('what a message sets in motion', () => {
  for (const [rule, world, steps] of TABLE) test(rule, () => expect(following(world).steps).toEqual(steps))

  test('every rule has a row of its name', () => {
    const rows = TABLE.map(([rule]) => rule)
    for (const { name } of FOLLOW_UP_RULES) expect(rows).toContain(name)
  })

  test('nothing is read for a message in a live ticket', () => {
    expect(following({ conversation: { isNew: false } }).read).toEqual([])
  })

  test('a fact is read where a rule wants it, and once', () => {
    expect(following({ settings: { sendGreetingMessage: false } }).read).toEqual(['connection'])
    expect(following({}).read).toEqual(['connection', 'contact'])
  })
})
