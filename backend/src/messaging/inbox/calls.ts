// Calls: they belong to the live ticket and never open a second one beside it (spec 1 §2, "Missed call").
import { writeAutomaticMessage } from '../../desk/messages/automatic.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import { createOwnId } from '../../platform/channel/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { InboxBatch } from './batch.ts'
import { applyMessages } from './messages.ts'

export type CallEvent = Extract<ChannelEvent, { type: 'call' }>

/** What the contact of a call that was refused is told (decisions §5, `call`), unless nothing is said to it by itself (decisions-2 §8). */
const REFUSED = 'Não atendemos chamadas por aqui. Escreva para nós, por favor: respondemos por mensagem.'
/** A call of longer ago was not refused: nobody was there. */
const STALE_MS = 60_000

/**
 * A missed call becomes a line in the conversation; one that rings or ended leaves nothing. While the setting `call` is off the
 * channel refuses what rings: it counts as missed, and the contact is told so in text.
 */
export async function applyCall(receiving: InboxBatch, call: CallEvent): Promise<void> {
  const refused =
    call.state === 'offer' && !receiving.settings.call && !call.from.group && Date.now() - call.at < STALE_MS
  if (call.state !== 'missed' && !refused) return
  await noteMissed(receiving, call)
  if (refused) await tellRefused(receiving, call)
}

async function tellRefused(receiving: InboxBatch, call: CallEvent): Promise<void> {
  const [line] = await getSql(receiving.tx)<{ ticket_id: number }[]>`
    select m.ticket_id from message m join contact c on c.id = m.contact_id
    where m.whatsapp_id = ${receiving.connection.id} and m.provider_id = ${toProviderId(call)} and c.resposta_automatica limit 1`
  if (!line) return
  const { tx, settings } = receiving
  await writeAutomaticMessage(tx, { ticketId: line.ticket_id, text: REFUSED, timezone: settings.timezone })
  receiving.answered = true
}

/** One line for a call, however many signs of it come. */
function toProviderId(call: CallEvent): string {
  return createOwnId('call', call.id)
}

async function noteMissed(receiving: InboxBatch, call: CallEvent): Promise<void> {
  await applyMessages(receiving, [
    {
      type: 'message',
      ref: { chat: call.from.jid, id: toProviderId(call), fromMe: false },
      chat: call.from,
      at: call.at,
      ...(call.name ? { name: call.name } : {}),
      mediaType: 'call_log',
      body: call.video ? 'video' : 'voice',
      replay: false,
      raw: null,
    },
  ])
}
