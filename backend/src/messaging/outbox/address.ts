// Where a message goes when the contact has not written on this connection yet.
import type { OwnedConnection } from '../../desk/connections/ownership.ts'
import type { IdentityKind } from '../../desk/contacts/table.ts'
import type { Driver } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { getKindModule } from '../channels/registry.ts'
import type { Claim } from './claim.ts'

/**
 * The address of a claim: the one the contact wrote from last, otherwise what the provider says of its number (it knows which
 * spelling of a Brazilian mobile is the real one), otherwise what the names of the contact allow. Null: the provider knows nobody there.
 */
export async function resolveAddress(
  db: Db,
  driver: Driver,
  { whatsappId }: OwnedConnection,
  claim: Claim,
): Promise<string | null> {
  if (claim.to !== null) return claim.to
  const found = await lookUp(db, driver, claim)
  if (found !== null) {
    await getSql(db)`
      insert into contact_channel (contact_id, whatsapp_id, jid) values (${claim.contactId}, ${whatsappId}, ${found})
      on conflict (contact_id, whatsapp_id) do nothing`
  }
  return found
}

async function lookUp(db: Db, driver: Driver, claim: Claim): Promise<string | null> {
  const names = await getSql(db)<{ kind: IdentityKind; value: string; isProven: boolean }[]>`
    select kind, value, is_proven as "isProven" from contact_identity where contact_id = ${claim.contactId} order by created_at desc, length(value) desc`
  const named = (kind: IdentityKind) => names.find(name => name.kind === kind && name.isProven)?.value
  const group = named('group')
  if (group !== undefined) return group
  const { number } = claim.contact
  const isOpen = names.some(name => name.kind === 'pn' && name.value === number && !name.isProven)
  const known = (isOpen ? null : number) ?? named('pn')
  if (driver.capabilities.check && (number ?? known) !== undefined) {
    // Whom WhatsApp knows there is proven; otherwise it is still who it was.
    for (const one of new Set([number, known])) {
      const peer = one ? await driver.check(one) : null
      if (peer) return peer.jid
    }
    return null
  }
  const [pn, lid, bsuid] = [known, named('lid'), named('bsuid')]
  return getKindModule(driver.kind).addressOf({ ...(pn && { pn }), ...(lid && { lid }), ...(bsuid && { bsuid }) })
}
