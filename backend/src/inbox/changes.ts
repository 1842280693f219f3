// Edits, deletions and reactions: they name a message, which may come after them; then they wait for it.
import type { ChannelEvent } from '../channels/driver.ts'
import { sqlOf } from '../database/raw.ts'
import { messageEvents } from '../messages/present.ts'
import { ticketEvents } from '../tickets/present.ts'
import { applyAcks } from './acks.ts'
import type { Receiving } from './world.ts'

export type ChangeEvent = Extract<ChannelEvent, { type: 'edit' | 'revoke' | 'reaction' }>

interface Target {
  readonly id: string
  readonly ticket_id: number
}

/** Applies a change to its message, or lets it wait for the message. */
export async function applyChange(world: Receiving, change: ChangeEvent, key: string | null): Promise<void> {
  const sql = sqlOf(world.tx)
  const [message] = await sql<Target[]>`
    select id, ticket_id from message where whatsapp_id = ${world.connection.id} and provider_id = ${change.ref.id} order by id desc limit 1 for update`
  if (!message) {
    await sql`update raw_event set waits_for = ${change.ref.id} where whatsapp_id = ${world.connection.id} and key = ${key ?? ''}`
    return
  }
  const changed = await changeMessage(world, Number(message.id), change)
  if (!changed) return
  await messageEvents(world.tx, [Number(message.id)], 'update')
  const preview = await sql<{ id: number }[]>`
    update ticket t set last_message = case when m.is_deleted then '' else left(m.body, 300) end,
      last_message_type = case when m.is_deleted then 'deleted' else t.last_message_type end, version = t.version + 1
    from message m where m.id = ${message.id} and t.id = ${message.ticket_id} and t.last_message_id = m.id and m.media_type <> 'location' returning t.id`
  await ticketEvents(
    world.tx,
    preview.map(({ id }) => ({ ticketId: id, action: 'update' })),
  )
}

/** What changed on a message; false when it was so already. */
async function changeMessage(world: Receiving, id: number, change: ChangeEvent): Promise<boolean> {
  const sql = sqlOf(world.tx)
  switch (change.type) {
    case 'edit': {
      // As in edits of our own: `body` is what the message says now, `editedMsg` what it said before.
      const text = change.body.replaceAll('\u0000', '')
      await sql`
        insert into message_edit (message_id, body) select id, body from message
        where id = ${id} and not is_deleted and body <> ${text}`
      const rows = await sql`
        update message set body = ${text}, is_edited = true, edited_msg = body, version = version + 1
        where id = ${id} and not is_deleted and body <> ${text} returning 1`
      return rows.length > 0
    }
    case 'revoke': {
      const rows =
        await sql`update message set is_deleted = true, version = version + 1 where id = ${id} and not is_deleted returning 1`
      return rows.length > 0
    }
    case 'reaction': {
      const by = change.fromMe ? 'me' : (change.name ?? change.by.pn ?? change.by.jid.replace(/@.*/, ''))
      const mine = JSON.stringify([{ by, fromMe: change.fromMe, emoji: change.emoji }])
      const rows = await sql`
        update message set version = version + 1, reactions =
          coalesce((select jsonb_agg(r) from jsonb_array_elements(reactions) r where not (r->>'by' = ${by} and (r->>'fromMe')::boolean = ${change.fromMe})), '[]'::jsonb)
          || case when ${change.emoji} = '' then '[]'::jsonb else ${mine}::jsonb end
        where id = ${id} returning 1`
      return rows.length > 0
    }
  }
}

/** Applies what waited for messages that have just been stored, in the order it came. */
export async function applyWaiting(world: Receiving, providerIds: readonly string[]): Promise<void> {
  if (providerIds.length === 0) return
  const rows = await sqlOf(world.tx)<{ key: string; payload: string }[]>`
    update raw_event set waits_for = null where whatsapp_id = ${world.connection.id} and waits_for = any(${[...providerIds]}::text[])
    returning key, payload, received_at`
  for (const { key, payload } of rows) {
    const event: ChannelEvent = JSON.parse(payload)
    if (event.type === 'ack') await applyAcks(world, [event])
    else if (event.type === 'edit' || event.type === 'revoke' || event.type === 'reaction')
      await applyChange(world, event, key)
  }
}
