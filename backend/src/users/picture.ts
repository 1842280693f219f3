// Profile pictures: files of the team; the one before is let go.
import { MB } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, wrongField } from '../http/errors.ts'
import { claimUpload, releaseFiles } from '../media/claim.ts'
import { type Form, withForm } from '../media/form.ts'
import { storeFiles } from '../media/to-send.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeUser } from './change.ts'

const MOST = 5 * MB

/**
 * Sets somebody's picture from a form's `medias`. Throws `ERR_NO_PERMISSION` for another person's unless by an administrator,
 * `ERR_NO_USER_FOUND`, `ERR_VALIDATION` without a file, `ERR_FILE_TYPE` for what is no picture, `ERR_FILE_TOO_LARGE`.
 */
export async function setPicture(
  parts: Parts,
  session: Session,
  id: number,
  request: Request,
): Promise<{ profilePicUrl: string }> {
  const { viewer } = session
  if (viewer.id !== id && viewer.profile !== 'admin') throw new AppError('ERR_NO_PERMISSION')
  await pictureOf(parts.db, id, viewer.id)
  return withForm(parts, request, form => keepPicture(parts, session, id, form), 2 * MOST)
}

async function keepPicture(parts: Parts, session: Session, id: number, form: Form): Promise<{ profilePicUrl: string }> {
  const { viewer } = session
  const file = form.files('medias').find(each => each.size > 0)
  if (!file) throw wrongField('medias', 'Escolha uma foto')
  const [picture] = await storeFiles(parts, viewer.id, [file], MOST)
  if (picture?.mediaType !== 'image') throw new AppError('ERR_FILE_TYPE', { type: picture?.mime })
  const profilePicUrl = `/media/${picture.mediaId}`
  await change(parts, async tx => {
    const old = /^\/media\/([\w-]+)$/.exec((await pictureOf(tx, id, viewer.id)) ?? '')?.[1]
    await claimUpload(tx, viewer.id, picture.mediaId, { owner: 'user' })
    await changeUser(tx, parts.config, session, id, { profilePicUrl }, { action: 'user.changePicture' })
    if (old !== undefined) await releaseFiles(tx, [old])
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
