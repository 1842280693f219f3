// A person as the access policy sees it.
import type { ApiScope, Profile, UserBrief, Viewer } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { AccessContext } from '../access/ticket-facts.ts'
import { isProgramFamily, type Session } from '../sessions/known-sessions.ts'
import { readSettings } from '../settings/read.ts'

/** Who did something, for what names people: a program that acts as the company is nobody, under a number below zero. */
export function toPersonId(viewerId: number | null | undefined): number | null {
  return viewerId && viewerId > 0 ? viewerId : null
}

/** Which program of the company it is. */
export function toTokenId(viewerId: number): number | null {
  return viewerId < 0 ? -viewerId : null
}

/**
 * Who writes a message: a person, also where a program does it in that person's name, or the company's program under its name of now, which
 * stays when the token is renamed or revoked.
 */
export function toWriter({
  viewer,
  name,
  family,
}: Pick<Session, 'name' | 'family'> & { readonly viewer: Pick<Viewer, 'id'> }): {
  readonly userId: number | null
  readonly authorName: string
  readonly byProgram: boolean
} {
  const userId = toPersonId(viewer.id)
  return { userId, authorName: userId === null ? name : '', byProgram: isProgramFamily(family) }
}

/** Null when the person is gone or inactive. */
export async function findViewer(db: Db | Tx, userId: number): Promise<Viewer | null> {
  const [row] = await getSql(db)<{ id: number; profile: Profile; queueIds: number[] }[]>`
    select u.id, u.profile, array(select queue_id from user_queue where user_id = u.id order by queue_id) as "queueIds"
    from "user" u where u.id = ${userId} and u.active and u.deleted_at is null`
  return row ? { ...row } : null
}

/** A token, and as whom it acted when it began something; `userId` null: as the company. */
export interface ProgramHolder {
  readonly tokenId: number
  readonly userId: number | null
}

/**
 * A program with the rights of now; null when its token is revoked, over, without this scope or any queue, or acts as somebody else, and
 * when its person is gone or inactive.
 */
export async function findProgramViewer(
  db: Db | Tx,
  { tokenId, userId }: ProgramHolder,
  scope: ApiScope,
): Promise<Viewer | null> {
  const [row] = await getSql(db)<{ queueIds: number[] }[]>`
    select array(select q.id from queue q where q.id = any(k.queue_ids) order by q.id) as "queueIds" from api_token k
    where k.id = ${tokenId} and k.user_id is not distinct from ${userId}::int and ${scope} = any(k.scopes)
      and coalesce(k.expires_at > now(), true)`
  if (row && userId !== null) return findViewer(db, userId)
  return row?.queueIds.length ? { id: -tokenId, profile: 'gerente', ...row } : null
}

/** Who started work that runs by itself, with the rights of now. Throws `ERR_NO_PERMISSION` for who is gone or inactive. */
export async function loadAccessContext(db: Db, userId: number): Promise<AccessContext> {
  const viewer = await findViewer(db, userId)
  if (!viewer) throw new AppError('ERR_NO_PERMISSION')
  return { viewer, settings: await readSettings(db) }
}

/** Names and pictures of people. */
export async function loadUserBriefs(db: Db, ids: readonly number[]): Promise<UserBrief[]> {
  const rows = await getSql(db)<UserBrief[]>`
    select id, name, profile_pic_url as "profilePicUrl" from "user" where id = any(${[...ids]}::int[]) and deleted_at is null`
  return rows.map(row => ({ ...row }))
}
