// What the gateway tells of groups, in WhatsApp's own words; asked for once, for a message names no group.
import { readAddress } from '../../../platform/channel/addresses.ts'
import type { GroupFacts, Peer } from '../../../platform/channel/driver.ts'
import { UNTOLD_MS } from '../shared/group-names.ts'
import { isRecord, toRecords, toText } from '../shared/json.ts'
import type { Gateway } from './gateway.ts'

const KEPT_MS = 10 * 60_000
const MOST_KEPT = 1000
/** A message waits for the name of its group no longer. */
const LONGEST_WAIT_MS = 3000

export class MeowGroups {
  private readonly names = new Map<string, { name: string | undefined; until: number }>()

  constructor(private readonly gateway: Pick<Gateway, 'get'>) {}

  /** A group's name, if it is told in time. */
  async name(jid: string): Promise<string | undefined> {
    const known = this.names.get(jid)
    if (known && known.until > Date.now()) return known.name
    const request = this.find(jid).catch(() => null)
    const found = await Promise.race([request, Bun.sleep(LONGEST_WAIT_MS).then(() => null)])
    if (!found) this.keep(jid, known?.name, UNTOLD_MS)
    return found?.subject ?? known?.name
  }

  /** Null when it is not told, or when we are no member. */
  async find(jid: string): Promise<GroupFacts | null> {
    const response = await this.gateway.get(['group', 'info'], { group_id: jid }).catch(() => null)
    if (!isRecord(response)) return null
    const subject = toText(response.Name) ?? toText(response.name) ?? toText(response.subject)
    if (!subject) return null
    this.keep(jid, subject, KEPT_MS)
    const members = toRecords(response.Participants ?? response.participants).flatMap(toMember)
    return { subject, desc: toText(response.Topic) ?? toText(response.topic) ?? '', members }
  }

  private keep(jid: string, name: string | undefined, forMs: number): void {
    if (this.names.size >= MOST_KEPT) this.names.clear()
    this.names.set(jid, { name, until: Date.now() + forMs })
  }
}

function toMember(fields: Record<string, unknown>): GroupFacts['members'][number][] {
  const jid = toText(fields.JID) ?? toText(fields.jid)
  if (!jid) return []
  const peer = readAddress(jid)
  const phone = toText(fields.PhoneNumber) ?? toText(fields.phone_number)
  const lid = toText(fields.LID) ?? toText(fields.lid)
  const pn = peer.pn ?? (phone ? readAddress(phone).pn : undefined)
  const known: Peer = { ...peer, ...(pn && { pn }), ...(lid?.endsWith('@lid') && { lid }) }
  const name = toText(fields.DisplayName) ?? toText(fields.display_name)
  const admin = [fields.IsAdmin, fields.IsSuperAdmin, fields.is_admin, fields.is_super_admin].includes(true)
  return [{ ...known, ...(name && { name }), admin }]
}
