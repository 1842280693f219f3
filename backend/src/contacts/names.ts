// The names the networks know a person by, and what they prove. A phone is lent: its number may become somebody else's.
import { digitsOf, phoneVariants } from '@balcao/contract'
import type { Peer } from '../channels/driver.ts'
import type { IdentityKind } from './table.ts'

export interface Identity {
  readonly kind: IdentityKind
  readonly value: string
}

/** Names of an account: they never pass to another person. */
const OF_ACCOUNTS: readonly IdentityKind[] = ['bsuid', 'lid']

/**
 * All names of a peer, those of the account first and always in the same order, so that two transactions never wait for each other
 * crosswise. A Brazilian mobile has two spellings; both are kept, so either finds the contact.
 */
export function identitiesOf(peer: Pick<Peer, 'jid' | 'pn' | 'lid' | 'bsuid' | 'group'>): Identity[] {
  if (peer.group) return [{ kind: 'group', value: peer.jid }]
  const found: Identity[] = []
  if (peer.bsuid) found.push({ kind: 'bsuid', value: peer.bsuid })
  if (peer.lid) found.push({ kind: 'lid', value: bare(peer.lid) })
  if (peer.pn) found.push(...phonesOf(peer.pn))
  if (found.length === 0)
    found.push(
      peer.jid.endsWith('@lid')
        ? { kind: 'lid', value: bare(peer.jid) }
        : { kind: 'pn', value: digitsOf(bare(peer.jid)) },
    )
  return found
}

/** What an address says by itself, as providers write it: a group, a hidden one, an id of Meta's (`BR.…`), a phone. */
export function namesOfAddress(jid: string): Identity[] {
  if (jid.endsWith('@g.us')) return [{ kind: 'group', value: jid }]
  if (jid.endsWith('@lid')) return [{ kind: 'lid', value: bare(jid) }]
  if (/^[A-Z]{2}\./.test(jid)) return [{ kind: 'bsuid', value: jid }]
  return phonesOf(jid)
}

/** A phone in all its spellings. */
export function phonesOf(pn: string): Identity[] {
  return phoneVariants(digitsOf(bare(pn)))
    .sort()
    .map(value => ({ kind: 'pn', value }))
}

export function isOfAccount({ kind }: Identity): boolean {
  return OF_ACCOUNTS.includes(kind)
}

/** Whether two sets of names cannot be one person's: each has a name of one kind, and none in common. */
export function contradict(
  ones: readonly Identity[],
  others: readonly Identity[],
  kinds: readonly IdentityKind[] = OF_ACCOUNTS,
): boolean {
  return kinds.some(kind => {
    const mine = ones.filter(name => name.kind === kind)
    const theirs = others.filter(name => name.kind === kind)
    return mine.length > 0 && theirs.length > 0 && !mine.some(one => theirs.some(other => other.value === one.value))
  })
}

/** `'553198762210:4@s.whatsapp.net'` without device and server. */
export function bare(jid: string): string {
  return jid.replace(/[:@].*$/, '')
}
