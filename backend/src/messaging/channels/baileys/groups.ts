// What is known of groups, so that a send does not ask the server each time (it limits that) and a message shows its group's name.
import type { GroupMetadata, GroupParticipant } from '@whiskeysockets/baileys'
import type { ChannelEvent, Peer } from '../../../platform/channel/driver.ts'
import { UNTOLD_MS } from '../shared/group-names.ts'
import type { Socket } from './link.ts'
import { isSelf, type PairedAccount, toPeer } from './peers.ts'

const LONGEST_WAIT_MS = 3000
/** What a group is asked by. */
type Line = Pick<Socket, 'groupMetadata'>

export class BaileysGroups {
  private readonly known = new Map<string, GroupMetadata>()
  private readonly requests = new Map<string, Promise<GroupMetadata | undefined>>()
  /** Groups the server did not tell of by a line, and until when. */
  private readonly untold = new Map<string, { readonly line: Line; readonly until: number }>()

  /** For the library: what is known, without asking. */
  cached(jid: string): GroupMetadata | undefined {
    return this.known.get(jid)
  }

  /** A group, asked for once; undefined when the server does not tell within 3 s or we are no member. */
  find(sock: Line, jid: string): Promise<GroupMetadata | undefined> {
    const known = this.known.get(jid)
    if (known) return Promise.resolve(known)
    const request = this.requests.get(jid) ?? this.ask(sock, jid)
    this.requests.set(jid, request)
    return request.finally(() => this.requests.delete(jid))
  }

  /** A group's name for a message, which waits for it: where the server did not tell it, it is not asked again for a while, but by a new line. */
  async name(line: Line, jid: string): Promise<string | undefined> {
    const untold = this.untold.get(jid)
    const rests = untold?.line === line && Date.now() < untold.until
    const group = rests ? this.known.get(jid) : await this.find(line, jid)
    if (group) this.untold.delete(jid)
    else if (!rests) this.untold.set(jid, { line, until: Date.now() + UNTOLD_MS })
    return group?.subject
  }

  /** Keeps what the server tells and watches for changes. */
  watch(sock: Socket, say: (events: ChannelEvent[]) => void, self: () => PairedAccount | undefined): void {
    const hasUs = (members: readonly GroupParticipant[]) =>
      members.some(({ id, phoneNumber, lid }) => [id, phoneNumber, lid].some(address => isSelf(self(), address)))
    sock.ev.on('groups.upsert', groups => {
      for (const group of groups) this.known.set(group.id, group)
      say(groups.map(group => ({ type: 'group', jid: group.id, subject: group.subject })))
      // Of a group one is added to, the server tells everything.
      say(groups.filter(group => hasUs(group.participants)).map(group => createMembershipEvent(group.id, true)))
    })
    sock.ev.on('groups.update', updates => {
      for (const { id, subject } of updates) {
        if (!id) continue
        this.forget(id)
        if (subject) say([{ type: 'group', jid: id, subject }])
      }
    })
    sock.ev.on('group-participants.update', ({ id, participants, action }) => {
      this.forget(id)
      if ((action === 'add' || action === 'remove') && hasUs(participants))
        say([createMembershipEvent(id, action === 'add')])
    })
  }

  private forget(jid: string): void {
    this.known.delete(jid)
    this.untold.delete(jid)
  }

  private async ask(sock: Line, jid: string): Promise<GroupMetadata | undefined> {
    const answer = sock.groupMetadata(jid).then(
      group => {
        this.known.set(jid, group)
        return group
      },
      () => undefined,
    )
    return Promise.race([answer, Bun.sleep(LONGEST_WAIT_MS).then(() => undefined)])
  }
}

/** The library tells neither a time nor an id: two of one kind are two by the millisecond they come in. */
export function createMembershipEvent(jid: string, isMember: boolean): ChannelEvent {
  return { type: 'membership', group: toPeer(jid), isMember, at: Date.now() }
}

/** The members with both addresses where the group shows them. */
export function toGroupMembers(group: GroupMetadata): (Peer & { name?: string; admin: boolean })[] {
  return group.participants.map(member => {
    const name = member.name ?? member.notify
    return {
      ...toPeer(member.id, member.phoneNumber ?? member.lid),
      ...(name && { name }),
      admin: Boolean(member.admin),
    }
  })
}
