// Whether a picture moves, told by its bytes.
import { open } from 'node:fs/promises'

/** Whether a GIF has a second picture, a WebP says that it is an animation; an APNG is one by its type. */
export async function isMoving(path: string, mime: string): Promise<boolean> {
  if (mime === 'image/apng') return true
  if (mime === 'image/gif') return countPictures(await Bun.file(path).bytes()) > 1
  const file = await open(path)
  try {
    const head = Buffer.alloc(21)
    await file.read(head, 0, 21, 0)
    return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 0x02) !== 0
  } finally {
    await file.close()
  }
}

/** GIF89a: a head with its colours, then extensions (0x21) and pictures (0x2c), each a chain of blocks that ends with an empty one. At most 2 are counted. */
function countPictures(bytes: Uint8Array): number {
  const colours = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  const byte = (at: number) => bytes[at] ?? 0
  let at = 13 + colours(byte(10))
  let pictures = 0
  while (at < bytes.length && pictures < 2) {
    const kind = byte(at)
    if (kind === 0x2c) {
      pictures += 1
      at += 11 + colours(byte(at + 9))
    } else if (kind === 0x21) at += 2
    else break
    while (byte(at) > 0) at += byte(at) + 1
    at += 1
  }
  return pictures
}
