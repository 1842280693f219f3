// Which part of a picture is taken: a square of it, as far as it is moved and enlarged.

/** Side of the picture that is sent, in px: sharp at any size it is shown. */
export const SIDE = 512

/** `x` and `y` from −1 (the left, upper edge) to 1; `zoom` from 1 (as much as there is) to 4. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

export const WHOLE: Crop = { x: 0, y: 0, zoom: 1 }
export const MOST_ZOOM = 4

/** The square of a picture of this size that a crop takes, in its own px. */
export function computeCropSquare({ width, height }: { readonly width: number; readonly height: number }, crop: Crop) {
  const side = Math.min(width, height) / crop.zoom
  return {
    side,
    left: ((width - side) / 2) * (1 + crop.x),
    top: ((height - side) / 2) * (1 + crop.y),
  }
}

/** Moved by so many of its own px to the right and down: what is seen goes the other way. */
export function moveCrop(
  size: { readonly width: number; readonly height: number },
  crop: Crop,
  right: number,
  down: number,
) {
  const { side } = computeCropSquare(size, crop)
  const along = (at: number, length: number, by: number) =>
    length <= side ? 0 : Math.max(-1, Math.min(1, at - (2 * by) / (length - side)))
  return { ...crop, x: along(crop.x, size.width, right), y: along(crop.y, size.height, down) }
}

export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop) {
  const { side, left, top } = computeCropSquare(picture, crop)
  const pen = canvas.getContext('2d')
  pen?.clearRect(0, 0, canvas.width, canvas.height)
  pen?.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

/** The picture that is sent. */
export async function cropPicture(picture: ImageBitmap, crop: Crop): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  drawCrop(canvas, picture, crop)
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', 0.9))
  if (!blob) throw new Error('The browser drew no picture')
  return new File([blob], 'foto.jpg', { type: 'image/jpeg' })
}
