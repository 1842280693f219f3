// Profile pictures: files of the team; the one before is let go.
import { MB } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { claimUpload, releaseFiles } from '../media/claim.ts'
import { type FormCall, readForm, type UploadForm } from '../media/form.ts'
import { storeFiles } from '../media/to-send.ts'
import { changeUser } from './change.ts'

const MOST = 5 * MB

/**
 * Sets somebody's picture from a form's `medias`. Throws `ERR_NO_PERMISSION` for another person's unless by an administrator,
 * `ERR_NO_USER_FOUND`, `ERR_VALIDATION` without a file, `ERR_FILE_TYPE` for what is no picture, `ERR_FILE_TOO_LARGE`.
 */
export async function setPicture(
  parts: Parts,
  { session, ...call }: FormCall<Session> & { readonly session: Session },
  id: number,
): Promise<{ profilePicUrl: string }> {
  await checkMay(parts.db, session, id)
  const keep = async (form: UploadForm, now: Session) => {
    await checkMay(parts.db, now, id)
    return keepPicture(parts, now, id, form)
  }
  return readForm(parts, call, keep, 2 * MOST)
}

async function checkMay(db: Db, { viewer }: Session, id: number): Promise<void> {
  if (viewer.id !== id && viewer.profile !== 'admin') throw new AppError('ERR_NO_PERMISSION')
  await loadPictureUrl(db, id, viewer.id)
}

async function keepPicture(
  parts: Parts,
  session: Session,
  id: number,
  form: UploadForm,
): Promise<{ profilePicUrl: string }> {
  const { viewer } = session
  const file = form.files('medias').find(each => each.size > 0)
  if (!file) throw createFieldError('medias', 'call.picture')
  const [picture] = await storeFiles(parts, viewer.id, [file], MOST)
  if (picture?.mediaType !== 'image') throw new AppError('ERR_FILE_TYPE', { type: picture?.mime })
  const profilePicUrl = `/media/${picture.mediaId}`
  await change(parts, async tx => {
    const old = await loadPictureUrl(tx, id, viewer.id)
    await claimUpload(tx, viewer.id, picture.mediaId, { owner: 'user' })
    await changeUser(tx, parts.config, session, id, { profilePicUrl }, { action: 'user.changePicture' })
    await releasePicture(tx, old)
  })
  return { profilePicUrl }
}

/** Lets a picture go that is nobody's any more; `url`: as it stands with the person. */
export async function releasePicture(tx: Tx, url: string | null): Promise<void> {
  const file = /^\/media\/([\w-]+)$/.exec(url ?? '')?.[1]
  if (file !== undefined) await releaseFiles(tx, [file])
}

async function loadPictureUrl(db: Db | Tx, id: number, viewerId: number): Promise<string | null> {
  const [row] = await getSql(db)<{ url: string | null }[]>`
    select profile_pic_url as url from "user"
    where id = ${id} and deleted_at is null and (id <> 1 or ${viewerId} = 1)`
  if (!row) throw new AppError('ERR_NO_USER_FOUND')
  return row.url
}
