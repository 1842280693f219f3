// Profile pictures: kept as a file of the team, the one before is removed.
import { MB } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { type Form, withForm } from '../media/form.ts'
import { kindOf } from '../media/sniff.ts'
import { keepFile, removeMedia } from '../media/store.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { userEvents } from './present.ts'
import { users } from './table.ts'

const MOST = 5 * MB

/**
 * Sets somebody's picture from a form's `medias`. Throws `ERR_NO_PERMISSION` for another person's unless by an administrator,
 * `ERR_NO_USER_FOUND`, `ERR_VALIDATION` without a file, `ERR_FILE_TYPE` for what is no picture, `ERR_FILE_TOO_LARGE`.
 */
export async function setPicture(
  parts: Parts,
  { viewer }: Session,
  id: number,
  request: Request,
): Promise<{ profilePicUrl: string }> {
  if (viewer.id !== id && viewer.profile !== 'admin') throw new AppError('ERR_NO_PERMISSION')
  const before = await pictureOf(parts, id, viewer.id)
  return withForm(parts, request, form => keepPicture(parts, viewer, id, before, form), 2 * MOST)
}

async function keepPicture(
  parts: Parts,
  viewer: Session['viewer'],
  id: number,
  before: string | null,
  form: Form,
): Promise<{ profilePicUrl: string }> {
  const file = form.files('medias').find(each => each.size > 0)
  if (!file) throw new AppError('ERR_VALIDATION', [{ path: 'medias', message: 'Escolha uma foto' }])
  const place = { db: parts.db, dataDir: parts.config.dataDir }
  const given = { name: file.name, declared: file.type, most: MOST }
  const stored = await keepFile(place, file, { ...given, owner: 'user', userId: id })
  if (kindOf(stored.mime) !== 'image') {
    await removeMedia(place, [stored.id])
    throw new AppError('ERR_FILE_TYPE', { type: stored.mime })
  }
  const profilePicUrl = `/media/${stored.id}`
  await change(parts, async tx => {
    const changed = { profilePicUrl, updatedAt: sql`now()`, version: sql`${users.version} + 1` }
    await tx.update(users).set(changed).where(eq(users.id, id))
    await writeLog(tx, { action: 'user.changePicture', userId: viewer.id, entityId: id })
    await userEvents(tx, parts.config, [id], 'update')
  })
  const old = /^\/media\/([\w-]+)$/.exec(before ?? '')?.[1]
  if (old !== undefined) await removeMedia(place, [old])
  return { profilePicUrl }
}

async function pictureOf({ db }: Parts, id: number, viewerId: number): Promise<string | null> {
  const [row] = await sqlOf(db)<{ url: string | null }[]>`
    select profile_pic_url as url from "user"
    where id = ${id} and deleted_at is null and (id <> 1 or ${viewerId} = 1)`
  if (!row) throw new AppError('ERR_NO_USER_FOUND')
  return row.url
}
