// The form of a queue (spec 2 §5): what stands in it, and who may take turns.
import type { Queue, User } from '@balcao/contract'
import { NO_ORDER } from '@balcao/contract/queues/queue'
import { findFreeColor } from '@balcao/ui/screens'

/** The colour of the specification, while nobody has it. */
const FIRST_COLOR = '#7a7a7a'

export interface QueueFields {
  readonly name: string
  readonly color: string
  readonly customOrder: string
  readonly greetingMessage: string
  /** Minutes; empty: no target. */
  readonly firstAnswerMinutes: string
  readonly answerMinutes: string
  readonly userIds: readonly number[]
}

/** Of a new one: a colour that none of `taken` is. */
export function toFields(queue: Queue | null, taken: readonly string[] = []): QueueFields {
  if (queue) {
    const { name, color, greetingMessage, userIds, customOrder, firstAnswerMinutes, answerMinutes } = queue
    return {
      ...{ name, color, greetingMessage, userIds },
      customOrder: String(customOrder),
      firstAnswerMinutes: String(firstAnswerMinutes ?? ''),
      answerMinutes: String(answerMinutes ?? ''),
    }
  }
  const color = taken.includes(FIRST_COLOR) ? findFreeColor(taken) : FIRST_COLOR
  const targets = { firstAnswerMinutes: '', answerMinutes: '' }
  return { name: '', color, customOrder: String(NO_ORDER), greetingMessage: '', ...targets, userIds: [] }
}

/** Active people of the queue, and those who take turns already, be they active or not. */
export function listTurnTakers(queue: Queue, people: readonly User[]) {
  const own = people.filter(person => person.active && person.queueIds.includes(queue.id))
  const known = new Set(own.map(({ id }) => id))
  const others = queue.queuesUser.filter(({ id }) => !known.has(id))
  return [...own, ...others].map(({ id, name }) => ({ value: id, label: name }))
}
