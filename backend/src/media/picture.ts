// What is known of a stored picture: its size, and whether there is a small one.
import { existsSync } from 'node:fs'
import { type MediaPlace, openMedia } from './store.ts'

export interface PictureInfo {
  readonly width: number | null
  readonly height: number | null
  readonly thumb: boolean
}

/** Size in pixels and thumbnail of a stored picture; what cannot be opened has neither. */
export async function pictureInfo(place: MediaPlace, mediaId: string): Promise<PictureInfo> {
  const file = await openMedia(place, mediaId)
  if (!file) return { width: null, height: null, thumb: false }
  try {
    const { width, height } = await new Bun.Image(file.path).metadata()
    return { width, height, thumb: existsSync(file.thumbPath) }
  } catch {
    return { width: null, height: null, thumb: false }
  }
}
