// The names the networks know a person by, and what they prove. A phone is lent: its number may become somebody else's.
import { extractDigits, listPhoneVariants } from '@balcao/contract'
import { readAddress, stripAddress } from '../../platform/channel/addresses.ts'
import type { Peer } from '../../platform/channel/driver.ts'
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
export function toIdentities(peer: Peer): Identity[] {
  if (peer.group) return [{ kind: 'group', value: peer.jid }]
  const { bsuid, lid, pn } = peer.bsuid || peer.lid || peer.pn ? peer : readAddress(peer.jid)
  const ofAccount: Identity[] = [
    ...(bsuid ? [{ kind: 'bsuid', value: bsuid } as const] : []),
    ...(lid ? [{ kind: 'lid', value: stripAddress(lid) } as const] : []),
  ]
  return [...ofAccount, ...(pn ? toPhoneIdentities(pn) : [])]
}

/** A phone in all its spellings. */
export function toPhoneIdentities(pn: string): Identity[] {
  return listPhoneVariants(extractDigits(stripAddress(pn)))
    .sort()
    .map(value => ({ kind: 'pn', value }))
}

/** The numbers as a search reads them in the list; the trigger that keeps them there puts right what is put in otherwise. */
export function joinPhoneDigits(names: readonly Identity[]): string {
  return names
    .flatMap(({ kind, value }) => (kind === 'pn' ? value : []))
    .sort()
    .join(' ')
}

export function isAccountIdentity({ kind }: Identity): boolean {
  return OF_ACCOUNTS.includes(kind)
}

/** Whether two sets of names cannot be one person's: each has a name of one kind, and none in common. */
export function hasConflictingIdentity(
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
