// Reads the QR code of a PNG: what a provider shows as a picture the desk keeps as text, and draws itself.
import { inflateSync } from 'node:zlib'

/** Nobody shows a larger code, and nobody makes us unpack one. */
const LARGEST_SIDE = 1024

/** Not a PNG, or one without a code. */
export class QrUnreadable extends Error {}

/** The text of the code in a PNG. Throws `QrUnreadable` for what is no such picture. */
export async function readQr(png: Uint8Array): Promise<string> {
  const { width, height, pixels } = decodePng(png)
  const { default: jsQR } = await import('jsqr')
  const text = jsQR(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data
  if (!text) throw new QrUnreadable('no PNG with a code')
  return text
}

interface Picture {
  readonly width: number
  readonly height: number
  /** Four bytes a pixel: red, green, blue, opacity. */
  readonly pixels: Uint8ClampedArray
}

/** Samples a pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** What a code is drawn with: any depth up to 8 bits, not interlaced. */
function decodePng(bytes: Uint8Array): Picture {
  const png = Buffer.from(bytes)
  if (png.length < 33 || png.readUInt32BE(0) !== 0x89504e47) throw new QrUnreadable('no PNG with a code')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const [depth = 0, type = 0, , , interlaced] = png.subarray(24, 29)
  const samples = SAMPLES[type]
  const fits = width > 0 && height > 0 && Math.max(width, height) <= LARGEST_SIDE
  if (!fits || !samples || ![1, 2, 4, 8].includes(depth) || interlaced !== 0)
    throw new QrUnreadable('no PNG with a code')
  const { data, palette } = readChunks(png)
  const line = Math.ceil((width * samples * depth) / 8)
  const rows = unfiltered(unpacked(data, (line + 1) * height), line, Math.max(1, (samples * depth) >> 3))
  const pixels = new Uint8ClampedArray(width * height * 4)
  const most = 2 ** depth - 1
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sample = (nth: number) => {
        const bit = (x * samples + nth) * depth
        return ((rows[y * line + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & most
      }
      const grey = (sample(0) * 255) / most
      const rgb = type === 3 ? [0, 1, 2].map(nth => palette[sample(0) * 3 + nth] ?? 0) : [grey, grey, grey]
      pixels.set([...(samples > 2 ? [sample(0), sample(1), sample(2)] : rgb), 255], (y * width + x) * 4)
    }
  return { width, height, pixels }
}

function readChunks(png: Buffer): { data: Buffer; palette: Buffer } {
  const data: Buffer[] = []
  let palette = Buffer.alloc(0)
  for (let at = 8; at + 8 <= png.length; ) {
    const [size, name] = [png.readUInt32BE(at), png.toString('latin1', at + 4, at + 8)]
    const content = png.subarray(at + 8, at + 8 + size)
    if (name === 'IDAT') data.push(content)
    if (name === 'PLTE') palette = Buffer.from(content)
    at += size + 12
  }
  return { data: Buffer.concat(data), palette }
}

function unpacked(data: Buffer, size: number): Buffer {
  try {
    const bytes = inflateSync(data, { maxOutputLength: size })
    if (bytes.length === size) return bytes
  } catch {}
  throw new QrUnreadable('no PNG with a code')
}

/** Takes the filter off every line: each byte was told by its difference from those before and above it (PNG §9). */
function unfiltered(bytes: Buffer, line: number, step: number): Buffer {
  const height = bytes.length / (line + 1)
  const rows = Buffer.alloc(line * height)
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (line + 1)]
    for (let x = 0; x < line; x++) {
      const left = x >= step ? (rows[y * line + x - step] ?? 0) : 0
      const above = y > 0 ? (rows[(y - 1) * line + x] ?? 0) : 0
      const corner = x >= step && y > 0 ? (rows[(y - 1) * line + x - step] ?? 0) : 0
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0
      rows[y * line + x] = (bytes[y * (line + 1) + 1 + x] ?? 0) + guess
    }
  }
  return rows
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}
