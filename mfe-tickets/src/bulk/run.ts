// Doing one thing to several conversations: a few at a time, each on its own, and a word about how each of them went.
import { describeError, getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import type { TicketAction, TicketActionChange, TicketContext } from '../actions/ticket-action.ts'
import { getStores } from '../desk/stores.ts'
import { server } from '../server.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { keepMarks, marked } from './marked.ts'

const AT_ONCE = 4

/** Does it to those it is possible for; what the server refuses is listed with the reason, the rest is told in one line. */
export async function runMany(action: TicketAction, contexts: readonly TicketContext[], change: TicketActionChange) {
  const { many } = action
  if (!many) return
  const possible = contexts.filter(action.when)
  const done: TicketContext[] = []
  const refused: { id: number; name: string; reason: string }[] = []
  const waiting = [...possible]
  const t = getTexts('tickets')
  async function work() {
    for (let context = waiting.shift(); context; context = waiting.shift()) {
      try {
        const ticket = await many?.one(context, change)
        if (ticket) getStores().tickets.take(ticket)
        done.push(context)
      } catch (error) {
        const { id, contact } = context.ticket
        refused.push({ id, name: nameContact(contact), reason: describeError(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))

  keepMarks(id => !done.some(({ ticket }) => ticket.id === id))
  const undo = many.undo && done.length > 0 ? () => void takeBack(action, done) : null
  if (refused.length > 0) {
    marked.outcome = {
      summary: done.length > 0 ? describeBulkAction(action, done.length) : null,
      done: done.length,
      refused,
      undo,
    }
    return
  }
  toast.success(describeBulkAction(action, done.length), {
    ...(undo ? { action: { label: t('many.undo'), perform: undo } } : {}),
  })
}

/** 'action.accept' is told as 'many.did.accept'. */
function describeBulkAction({ labelKey }: TicketAction, count: number): string {
  return getTexts('tickets')(`many.did.${labelKey.replace('action.', '')}`, { count })
}

/** Each as it was; what cannot be taken back is told. */
async function takeBack(action: TicketAction, before: readonly TicketContext[]) {
  const t = getTexts('tickets')
  const failed: unknown[] = []
  for (const context of before) {
    try {
      for (const change of action.many?.undo?.(context) ?? [])
        getStores().tickets.take(await server.change(context.ticket.id, change))
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length === 0) toast.success(t('many.undone', { count: before.length }))
  else toast.error(t('many.notUndone', { count: failed.length }), { detail: describeError(failed[0]) })
}
