// Profile pictures: files of the team; the one before is let go.
import { MB } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, wrongField } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { claimUpload, releaseFiles } from '../media/claim.ts'
import { type Form, withForm } from '../media/form.ts'
import { storeFiles } from '../media/to-send.ts'
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
  await pictureOf(parts.db, id, viewer.id)
  return withForm(parts, request, form => keepPicture(parts, viewer, id, form), 2 * MOST)
}

async function keepPicture(
  parts: Parts,
  viewer: Session['viewer'],
  id: number,
  form: Form,
): Promise<{ profilePicUrl: string }> {
  const file = form.files('medias').find(each => each.size > 0)
  if (!file) throw wrongField('medias', 'Escolha uma foto')
  const [picture] = await storeFiles(parts, viewer.id, [file], MOST)
  if (picture?.mediaType !== 'image') throw new AppError('ERR_FILE_TYPE', { type: picture?.mime })
  const profilePicUrl = `/media/${picture.mediaId}`
  await change(parts, async tx => {
    const old = /^\/media\/([\w-]+)$/.exec((await pictureOf(tx, id, viewer.id)) ?? '')?.[1]
    await claimUpload(tx, viewer.id, picture.mediaId, { owner: 'user' })
    const next = { profilePicUrl, updatedAt: sql`now()`, version: sql`${users.version} + 1` }
    await tx.update(users).set(next).where(eq(users.id, id))
    if (old !== undefined) await releaseFiles(tx, [old])
    await writeLog(tx, { action: 'user.changePicture', userId: viewer.id, entityId: id })
    await userEvents(tx, parts.config, [id], 'update')
  })
  return { profilePicUrl }
}

async function pictureOf(db: Db | Tx, id: number, viewerId: number): Promise<string | null> {
  const [row] = await sqlOf(db)<{ url: string | null }[]>`
    select profile_pic_url as url from "user"
    where id = ${id} and deleted_at is null and (id <> 1 or ${viewerId} = 1)`
  if (!row) throw new AppError('ERR_NO_USER_FOUND')
  return row.url
}
