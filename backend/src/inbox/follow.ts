// What stored messages set in motion: the contract's rules decide, facts are read where one wants them, and the steps are carried out here.
import { type FollowUp, type FollowUpCase, type FollowUpFacts, whatFollows } from '@balcao/contract'
import { and, eq } from 'drizzle-orm'
import { contactChannels } from '../contacts/table.ts'
import { sqlOf } from '../database/raw.ts'
import { say } from '../messages/say.ts'
import { NOW, patchTicket } from '../tickets/change.ts'
import type { Placed, Receiving } from './receiving.ts'

interface Following {
  readonly placed: Placed
  readonly step: FollowUp
}

/**
 * What follows these messages: `moves` to be carried out before anybody is told of the messages, because they change who may see them,
 * and `sayings` after the words they answer. The tickets are told at the end, as they then stand.
 */
export async function followUpsOf(
  receiving: Receiving,
  placed: readonly Placed[],
): Promise<{ readonly moves: Following[]; readonly sayings: Following[] }> {
  const begun = new Set<number>()
  const following: Following[] = []
  for (const one of placed) {
    const { event, ticket } = one
    if (event.past) continue
    const steps = await stepsFor(receiving, one, {
      conversation: { isNew: ticket.isNew && !begun.has(ticket.id), isGroup: event.chat.group },
      message: { fromMe: event.ref.fromMe, at: event.at },
      settings: receiving.settings,
      now: Date.now(),
    })
    begun.add(ticket.id)
    following.push(...steps.map(step => ({ placed: one, step })))
  }
  const isSaying = ({ step }: Following) => step.do === 'say'
  return { moves: following.filter(one => !isSaying(one)), sayings: following.filter(isSaying) }
}

async function stepsFor(receiving: Receiving, placed: Placed, known: FollowUpCase): Promise<readonly FollowUp[]> {
  const facts: Partial<FollowUpFacts> = {}
  for (;;) {
    const answer = whatFollows(known, facts)
    if ('steps' in answer) return answer.steps
    Object.assign(facts, await READ[answer.wants](receiving, placed))
  }
}

const READ: { [F in keyof FollowUpFacts]: (receiving: Receiving, placed: Placed) => Promise<Pick<FollowUpFacts, F>> } =
  {
    connection: async ({ tx, connection }) => {
      const [row] = await sqlOf(tx)<FollowUpFacts['connection'][]>`
        select greeting_message as greeting, array(select queue_id from whatsapp_queue where whatsapp_id = w.id) as "queueIds"
        from whatsapp w where id = ${connection.id}`
      return { connection: row ?? { greeting: '', queueIds: [] } }
    },
    contact: async ({ tx, connection }, { contactId }) => {
      const [row] = await sqlOf(tx)<FollowUpFacts['contact'][]>`
        select extract(epoch from greeted_at)::float8 * 1000 as "greetedAt"
        from contact_channel where contact_id = ${contactId} and whatsapp_id = ${connection.id}`
      return { contact: row ?? { greetedAt: null } }
    },
  }

/** In their order, in the transaction that stores the messages. */
export async function carryOut(receiving: Receiving, following: readonly Following[]): Promise<void> {
  const { tx, connection, settings } = receiving
  for (const { placed, step } of following) {
    const { ticket, contactId } = placed
    switch (step.do) {
      case 'set queue':
        await patchTicket(tx, ticket.id, { queueId: step.queueId })
        break
      case 'say': {
        const { timezone } = settings
        const said = await say(tx, { ticketId: ticket.id, text: step.text, timezone, ticketToldLater: true })
        if (!said) break
        receiving.answered = true
        const channel = and(eq(contactChannels.contactId, contactId), eq(contactChannels.whatsappId, connection.id))
        if (step.greets) await tx.update(contactChannels).set({ greetedAt: NOW }).where(channel)
      }
    }
  }
}
