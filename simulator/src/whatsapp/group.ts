/** Groups: who is in, what a device learns about them. */
import { randomInt } from 'node:crypto'
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Companion } from './companion'
import { CompanyPhone } from './company'
import { createNode, findChild, SERVER, toSeconds } from './nodes'
import type { Phone } from './phone'
import type { WhatsAppNetwork } from './world'

export interface GroupOptions {
  /** Its address, where somebody knows it already; made up, if not given. */
  jid?: string
  subject: string
  members: Phone[]
  /** Who made it; the first member, if not given. */
  owner?: Phone
  /** How members see each other; hidden ids, as in groups of today, if not given. */
  addressing?: 'pn' | 'lid'
  picture?: string
  description?: string
}

export class ChatGroup {
  readonly jid: string
  readonly members: Phone[]
  readonly addressing: 'pn' | 'lid'
  subject: string
  picture: string | undefined
  description: string | undefined
  private readonly owner: Phone | undefined
  private readonly created = new Date()
  private notices = 0

  constructor(options: GroupOptions) {
    this.jid = options.jid ?? `1203630${String(randomInt(10 ** 11)).padStart(11, '0')}@g.us`
    this.subject = options.subject
    this.owner = options.owner ?? options.members[0]
    this.members = [...new Set([...(options.owner ? [options.owner] : []), ...options.members])]
    this.addressing = options.addressing ?? 'lid'
    this.picture = options.picture
    this.description = options.description
  }

  addressOf(member: Phone): string {
    return this.addressing === 'lid' ? member.lid : member.jid
  }

  /** How a member stands in a stanza of the group. */
  participantAttrs(member: Phone): Record<string, string> {
    return this.addressing === 'lid'
      ? { participant: member.lid, participant_pn: member.jid, addressing_mode: 'lid' }
      : { participant: member.jid, participant_lid: member.lid, addressing_mode: 'pn' }
  }

  rename(subject: string, by: Phone): void {
    this.subject = subject
    this.notify(by, createNode('subject', { subject, s_t: toSeconds() }))
  }

  add(member: Phone, by: Phone): void {
    if (this.members.includes(member)) return
    this.members.push(member)
    this.notify(by, createNode('add', {}, [this.participantNode(member)]), member)
  }

  remove(member: Phone, by: Phone): void {
    const index = this.members.indexOf(member)
    if (index < 0) return
    this.notify(by, createNode('remove', {}, [this.participantNode(member)]), member)
    this.members.splice(index, 1)
  }

  /** Tells the devices of members that the group exists. */
  announce(): void {
    if (this.owner) this.notify(this.owner, createNode('create', {}, [this.describe()]))
  }

  describe(): BinaryNode {
    const { owner } = this
    const lid = this.addressing === 'lid'
    return createNode(
      'group',
      {
        id: this.jid,
        subject: this.subject,
        s_t: toSeconds(this.created),
        creation: toSeconds(this.created),
        size: String(this.members.length),
        addressing_mode: this.addressing,
        ...(owner && { creator: this.addressOf(owner), ...(lid && { creator_pn: owner.jid }) }),
      },
      [
        ...this.members.map(member => this.participantNode(member)),
        ...(this.description === undefined
          ? []
          : [
              createNode('description', { id: this.jid.slice(0, 12) }, [
                createNode('body', {}, Buffer.from(this.description)),
              ]),
            ]),
      ],
    )
  }

  private participantNode(member: Phone): BinaryNode {
    const other = this.addressing === 'lid' ? { phone_number: member.jid } : { lid: member.lid }
    const type = member === this.owner ? 'superadmin' : undefined
    return createNode('participant', { jid: this.addressOf(member), ...other, type })
  }

  private notify(by: Phone, change: BinaryNode, whom?: Phone): void {
    this.notices += 1
    const id = `${this.jid.slice(0, 18)}-${this.notices}`
    const attrs = { from: this.jid, type: 'w:gp2', id, t: toSeconds(), notify: by.name, ...this.participantAttrs(by) }
    for (const member of this.members) {
      if (!(member instanceof CompanyPhone)) continue
      for (const device of member.devices) device.push(createNode('notification', attrs, [change]))
      for (const browser of member.browsers) browser.group(this, change.tag, whom)
    }
  }
}

/** Answers a device about one group or all of its company's; nothing when it is not a member. */
export function answerGroupQuery(
  world: WhatsAppNetwork,
  companion: Companion,
  iq: BinaryNode,
): BinaryNode[] | undefined {
  const { company } = companion
  if (findChild(iq, 'participating')) {
    const groups = [...world.groups.values()].filter(group => group.members.includes(company))
    return [
      createNode(
        'groups',
        {},
        groups.map(group => group.describe()),
      ),
    ]
  }
  const group = world.groups.get(iq.attrs.to ?? SERVER)
  return group?.members.includes(company) ? [group.describe()] : undefined
}
