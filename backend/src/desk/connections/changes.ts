// What a save changed, for the activity log: before and after, field by field.
import { type Connection, type FieldChange, shortenText } from '@balcao/contract'
import type { ConnectionPatch } from './form.ts'

/** Longer words are cut: the log tells what happened, it is no copy. */
const LONGEST = 200

/** The fields that are different now. Of a secret only that there is another one. */
export function listConnectionChanges(before: Connection, after: Connection, form: ConnectionPatch): FieldChange[] {
  const was: Record<string, unknown> = { ...before, queues: before.queues.map(queue => queue.name) }
  const is: Record<string, unknown> = { ...after, queues: after.queues.map(queue => queue.name) }
  const changes = Object.keys(form).flatMap((name): FieldChange[] => {
    const field = name === 'queueIds' ? 'queues' : name
    if (field === 'tokenMeta') return form.tokenMeta ? [{ field }] : []
    return Bun.deepEquals(was[field], is[field]) ? [] : [{ field, from: cut(was[field]), to: cut(is[field]) }]
  })
  return changes
}

function cut(value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST ? shortenText(value, LONGEST + 1) : value
}
