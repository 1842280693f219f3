// Names, groups and the ties between a person's addresses.
import type { ChannelEvent } from '../channels/driver.ts'
import { resolveContact } from '../contacts/identity.ts'
import { contactEvents } from '../contacts/present.ts'
import { sqlOf } from '../database/raw.ts'
import type { Receiving } from './world.ts'

/** Two addresses are known to be one person: their contacts become one, if there are any. */
export async function applyIdentity(
  world: Receiving,
  event: Extract<ChannelEvent, { type: 'identity' }>,
): Promise<void> {
  const values = [event.pn, event.lid, event.bsuid]
    .filter(value => value !== undefined)
    .map(value => value.replace(/[:@].*$/, ''))
  const [known] = await sqlOf(
    world.tx,
  )`select 1 from contact_identity where kind <> 'group' and value = any(${values}::text[]) limit 1`
  if (!known) return
  const { jid, ...names } = {
    jid: event.pn ?? event.lid ?? event.bsuid ?? '',
    pn: event.pn,
    lid: event.lid,
    bsuid: event.bsuid,
  }
  const peer = {
    jid,
    group: false,
    ...Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)),
  }
  const resolved = await resolveContact(world.tx, peer)
  if (resolved.changed) await contactEvents(world.tx, [resolved.id])
}

/** A name from the phone's contact book or the person's own; contacts are not made for it. */
export async function applyContact(world: Receiving, event: Extract<ChannelEvent, { type: 'contact' }>): Promise<void> {
  const value = event.peer.group ? event.peer.jid : event.peer.jid.replace(/[:@].*$/, '')
  const [known] = await sqlOf(world.tx)`select 1 from contact_identity where value = ${value} limit 1`
  if (!known) return
  const resolved = await resolveContact(world.tx, event.peer, {
    ...(event.name ? { name: event.name } : {}),
    source: event.source,
  })
  if (resolved.changed) await contactEvents(world.tx, [resolved.id])
}

export async function applyGroup(world: Receiving, event: Extract<ChannelEvent, { type: 'group' }>): Promise<void> {
  if (!event.subject) return
  const rows = await sqlOf(world.tx)<{ id: number }[]>`
    update contact c set name = ${event.subject.slice(0, 255)}, name_source = 'push', updated_at = now(), version = version + 1
    from contact_identity i where i.kind = 'group' and i.value = ${event.jid} and c.id = i.contact_id and c.name_source <> 'manual' and c.name <> ${event.subject.slice(0, 255)} returning c.id`
  if (rows.length > 0)
    await contactEvents(
      world.tx,
      rows.map(row => row.id),
    )
}
