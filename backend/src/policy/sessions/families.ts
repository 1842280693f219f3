// Families of refresh tokens, one a device: how a token comes into one, and how one ends. Both hold the person's row, as does whoever
// deactivates somebody or changes a password: no token is born beside the end of its session and outlives it.

import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { hashToken } from '../../platform/seal.ts'
import { writeLog } from '../log/write.ts'
import { type Claims, REFRESH_SECONDS } from './tokens.ts'

/** One person's, at a time. */
const TERMINALS_MOST = 20

/** What a token is given for, and must still hold: a password that was proven, or a session. */
export type TokenGround = { readonly passwordHash: string } | { readonly family: string }

export interface NewToken extends Claims {
  readonly token: string
  /** The name of a terminal, where it is one's. */
  readonly terminal?: string
}

/**
 * Keeps a refresh token, as its hash. Throws `ERR_USER_NO_ACTIVE`, `ERR_INVALID_CREDENTIALS` or `ERR_SESSION_EXPIRED` where its ground
 * is gone, `ERR_TOO_MANY_TERMINALS`.
 */
export async function storeRefreshToken(
  db: Db,
  { userId, family, token, terminal }: NewToken,
  ground: TokenGround,
): Promise<void> {
  await runInTransaction(db, async tx => {
    await holds(tx, userId, ground)
    if (terminal !== undefined) await checkRoom(tx, userId)
    await getSql(tx)`
      insert into refresh_token (user_id, family, hash, terminal, expires_at)
      values (${userId}, ${family}, ${hashToken(token)}, ${terminal ?? null}, now() + ${REFRESH_SECONDS}::int * interval '1 second')`
    if (terminal !== undefined) await writeLog(tx, { action: 'user.addTerminal', userId, entityId: userId })
  })
}

/** Ends a family; whether something was left of it. */
export async function revokeFamily(tx: Tx, { userId, family }: Claims): Promise<boolean> {
  await lockPerson(tx, userId)
  const ended = await getSql(tx)`
    update refresh_token set revoked_at = now()
    where family = ${family} and user_id = ${userId} and revoked_at is null returning 1`
  return ended.length > 0
}

async function holds(tx: Tx, userId: number, ground: TokenGround): Promise<void> {
  const person = await lockPerson(tx, userId)
  if (!person) throw new AppError('ERR_SESSION_EXPIRED')
  if (!person.active) throw new AppError('ERR_USER_NO_ACTIVE')
  if ('passwordHash' in ground) {
    if (person.hash !== ground.passwordHash) throw new AppError('ERR_INVALID_CREDENTIALS')
    return
  }
  // A statement of its own: it sees what was committed while the row was waited for.
  const alive = await getSql(tx)`
    select 1 from refresh_token
    where family = ${ground.family} and user_id = ${userId} and revoked_at is null and expires_at > now() limit 1`
  if (alive.length === 0) throw new AppError('ERR_SESSION_EXPIRED')
}

/** One more is refused, and none that works is ended for it: nobody would know why a program stops. */
async function checkRoom(tx: Tx, userId: number): Promise<void> {
  const [row] = await getSql(tx)<{ n: number }[]>`
    select count(*)::int as n from refresh_token
    where user_id = ${userId} and terminal is not null and revoked_at is null and expires_at > now()`
  if ((row?.n ?? 0) >= TERMINALS_MOST) throw new AppError('ERR_TOO_MANY_TERMINALS', { most: TERMINALS_MOST })
}

async function lockPerson(tx: Tx, id: number): Promise<{ active: boolean; hash: string } | undefined> {
  const [row] = await getSql(tx)<{ active: boolean; hash: string }[]>`
    select active, password_hash as hash from "user" where id = ${id} and deleted_at is null for no key update`
  return row
}
