// Who is there, and whose sockets share a topic because their people see the same.
import { toAudienceKey, type Viewer } from '@balcao/contract'
import type { HubSocket } from './hub-parts.ts'

/** One person with all sockets of this process: what the policy knows of somebody is kept once. */
export interface Attendant {
  viewer: Viewer
  /** Which reading the viewer is from: one that began earlier changes nothing. */
  asOf: number
  /** A change of rights was told and not read yet: nothing reaches these sockets until then, and afterwards they begin afresh. */
  suspended: boolean
  /** How many times the rights became others. */
  turns: number
  readonly members: Set<AudienceMember>
}

export interface AudienceMember {
  readonly socket: HubSocket
  readonly attendant: Attendant
  /** Set once it has said hello and was brought up to date. */
  listening: boolean
}

export interface AudienceGroup {
  readonly viewer: Viewer
  readonly topic: string
  readonly members: Set<AudienceMember>
}

/** The topic of every socket that listens. */
export const EVERYBODY = 'everybody'

/** The groups there are: begun by the first who comes, gone with the last who goes. */
export class AudienceGroups implements Iterable<AudienceGroup> {
  readonly #groups = new Map<string, AudienceGroup>()

  /** To that of the person's rights as they are now. */
  join(member: AudienceMember): void {
    const { viewer } = member.attendant
    const key = toAudienceKey(viewer)
    const group = this.#groups.get(key) ?? { viewer, topic: `audience:${key}`, members: new Set<AudienceMember>() }
    this.#groups.set(key, group)
    group.members.add(member)
    member.socket.subscribe(group.topic)
    member.socket.subscribe(EVERYBODY)
  }

  /** Before the person's rights become others. */
  leave(member: AudienceMember): void {
    const key = toAudienceKey(member.attendant.viewer)
    const group = this.#groups.get(key)
    if (!group) return
    member.socket.unsubscribe(group.topic)
    member.socket.unsubscribe(EVERYBODY)
    group.members.delete(member)
    if (group.members.size === 0) this.#groups.delete(key)
  }

  [Symbol.iterator](): Iterator<AudienceGroup> {
    return this.#groups.values()
  }

  clear(): void {
    this.#groups.clear()
  }
}
