// What a program may read besides what its call opens: an answer shows no more than its token could read by itself (docs/decisions/0302).
import type { ApiScope } from '@balcao/contract'
import type { Session } from './known-sessions.ts'

/** Whether any of these is open to a session; to a person all are. */
export function hasScope({ scopes }: Pick<Session, 'scopes'>, ...enough: readonly ApiScope[]): boolean {
  return scopes === undefined || enough.some(scope => scopes.includes(scope))
}
