// A QR code as the gateway draws it: a PNG with a palette of two colours, one bit a point.
import { deflateSync } from 'node:zlib'
import { create, toBuffer } from 'qrcode'

const MARGIN = 4
const SCALE = 6

export function drawQrPicture(text: string): Buffer {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const side = (modules.size + 2 * MARGIN) * SCALE
  const line = Math.ceil(side / 8)
  const rows = Buffer.alloc((line + 1) * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [row, column] = [Math.floor(y / SCALE) - MARGIN, Math.floor(x / SCALE) - MARGIN]
      const isInside = row >= 0 && column >= 0 && row < modules.size && column < modules.size
      if (!(isInside && modules.get(row, column))) continue
      const at = y * (line + 1) + 1 + (x >> 3)
      rows[at] = (rows[at] ?? 0) | (128 >> (x & 7))
    }
  const palette = Buffer.from([255, 255, 255, 0, 0, 0])
  return encodePng(side, { depth: 1, type: 3 }, [
    ['PLTE', palette],
    ['IDAT', deflateSync(rows)],
  ])
}

/** The same with four bytes a point, as other programs draw it. */
export function drawDetailedQrPicture(text: string): Promise<Buffer> {
  return toBuffer(text, { width: 512 })
}

/** A square PNG of these chunks. */
export function encodePng(
  side: number,
  { depth, type }: { readonly depth: number; readonly type: number },
  chunks: readonly (readonly [name: string, data: Buffer])[],
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([depth, type, 0, 0, 0], 8)
  const whole = [['IHDR', head] as const, ...chunks, ['IEND', Buffer.alloc(0)] as const]
  return Buffer.concat([SIGNATURE, ...whole.map(createChunk)])
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function createChunk([name, data]: readonly [string, Buffer]): Buffer {
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  size.writeUInt32BE(data.length)
  check.writeUInt32BE(Bun.hash.crc32(named))
  return Buffer.concat([size, named, check])
}
