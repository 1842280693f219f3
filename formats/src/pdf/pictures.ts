// Pictures of strangers, made small before they are put on a page: 640 points of a camera's are enough for one of paper.
import type { BubblePart } from './document.ts'

export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

const SIDE = 640
const SMALL_SIDE = 200
/** One of more points is not opened: a small file may unpack to gigabytes. */
const MOST_PIXELS = 60_000_000

/** What is drawn of it; null for what is no picture. */
export async function loadPicture({
  path,
  small = false,
}: Extract<BubblePart, { part: 'picture' }>): Promise<Picture | null> {
  try {
    const { width, height } = await new Bun.Image(path).metadata()
    if (width * height > MOST_PIXELS || width < 1 || height < 1) return null
    const side = small ? SMALL_SIDE : SIDE
    const image = new Bun.Image(path).resize(side, side, { fit: 'inside', withoutEnlargement: true })
    // What is cut out of its ground keeps that; a photo is a tenth of the size without.
    const bytes = await (small ? image.png() : image.jpeg({ quality: 78 })).buffer()
    const made = await new Bun.Image(bytes).metadata()
    return { bytes, width: made.width, height: made.height }
  } catch {
    return null
  }
}
