// Calls: they belong to the live ticket and never open a second one beside it (spec 1 §2, "Missed call").
import type { ChannelEvent } from '../channels/driver.ts'
import { applyMessages } from './messages.ts'
import type { Receiving } from './world.ts'

export type CallEvent = Extract<ChannelEvent, { type: 'call' }>

/** A missed call becomes a line in the conversation; one that rings or ended leaves nothing. */
export async function applyCall(world: Receiving, call: CallEvent): Promise<void> {
  if (call.state !== 'missed') return
  await applyMessages(world, [
    {
      type: 'message',
      ref: { chat: call.from.jid, id: `call:${call.id}`, fromMe: false },
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
