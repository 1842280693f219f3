// Tokens for one socket connection: they travel in an address, so they are good once and for 60 seconds only.
import { getSql } from '../../platform/database/raw.ts'
import { hashToken } from '../../platform/seal.ts'
import type { Parts } from '../kit/parts.ts'
import type { Session } from './authenticate.ts'
import { type Claims, createOpaqueToken } from './tokens.ts'

/** A token for one socket connection of this session (spec 1 §7, `POST /auth/socket`). */
export async function createSocketToken({ db }: Pick<Parts, 'db'>, session: Session): Promise<string> {
  const token = createOpaqueToken()
  await getSql(db)`
    with old as (delete from socket_token where expires_at < now() - interval '1 hour')
    insert into socket_token (hash, user_id, family, expires_at)
    values (${hashToken(token)}, ${session.viewer.id}, ${session.family}, now() + interval '60 seconds')`
  return token
}

/** Uses a socket token up. Null when it is unknown, used or too old. */
export async function consumeSocketToken({ db }: Pick<Parts, 'db'>, token: string): Promise<Claims | null> {
  const [row] = await getSql(db)<{ user_id: number; family: string; good: boolean }[]>`
    delete from socket_token where hash = ${hashToken(token)} returning user_id, family, expires_at > now() as good`
  return row?.good ? { userId: row.user_id, family: row.family } : null
}
