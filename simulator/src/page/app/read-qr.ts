// Reading the text of a QR from a picture of it.
import jsQR from 'jsqr'

const LARGEST = 1600

/** Nothing when there is no QR to be found. */
export async function readQr(picture: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined)
  if (!bitmap) return undefined
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
  return jsQR(data, canvas.width, canvas.height)?.data || undefined
}

/** The picture in what was pasted or dropped, if there is one. */
export function findPicture(transfer: DataTransfer): File | undefined {
  return [...transfer.files].find(file => file.type.startsWith('image/'))
}
