// Names, groups and the ties between a person's addresses.
import type { ChannelEvent, Peer, PersonNames } from '../channels/driver.ts'
import { familiarContacts } from '../contacts/familiar.ts'
import { joinKnown, moveKnown, type Resolved } from '../contacts/identity.ts'
import { contactEvents } from '../contacts/present.ts'
import { sqlOf } from '../database/raw.ts'
import type { Receiving } from './receiving.ts'

/** Two addresses are known to be one person: their contacts become one, if there are any. */
export async function applyIdentity(
  receiving: Receiving,
  { type: _, ...names }: Extract<ChannelEvent, { type: 'identity' }>,
): Promise<void> {
  const peer = peerOf(names)
  const [familiar] = await familiarContacts(receiving.tx, [{ peer, hint: {} }])
  if (familiar === null) await tell(receiving, await joinKnown(receiving.tx, peer))
}

/** Somebody has another number, or another name at the provider. */
export async function applyMove(
  receiving: Receiving,
  { from, to }: Extract<ChannelEvent, { type: 'moved' }>,
): Promise<void> {
  await tell(receiving, await moveKnown(receiving.tx, peerOf(from), peerOf(to)))
}

/** A name from the phone's contact book or the person's own; contacts are not made for it. */
export async function applyContact(
  receiving: Receiving,
  event: Extract<ChannelEvent, { type: 'contact' }>,
): Promise<void> {
  const hint = { ...(event.name ? { name: event.name } : {}), source: event.source }
  await tell(receiving, await joinKnown(receiving.tx, event.peer, hint))
}

async function tell(receiving: Receiving, resolved: Resolved | null): Promise<void> {
  if (resolved?.changed) await contactEvents(receiving.tx, [resolved.id])
}

function peerOf(names: PersonNames): Peer {
  return { jid: names.pn ?? names.lid ?? names.bsuid ?? '', group: false, ...names }
}

export async function applyGroup(receiving: Receiving, event: Extract<ChannelEvent, { type: 'group' }>): Promise<void> {
  if (!event.subject) return
  const rows = await sqlOf(receiving.tx)<{ id: number }[]>`
    update contact c set name = ${event.subject.slice(0, 255)}, name_source = 'push', updated_at = now(), version = version + 1
    from contact_identity i where i.kind = 'group' and i.value = ${event.jid} and c.id = i.contact_id and c.name_source <> 'manual' and c.name <> ${event.subject.slice(0, 255)} returning c.id`
  if (rows.length > 0)
    await contactEvents(
      receiving.tx,
      rows.map(row => row.id),
    )
}
