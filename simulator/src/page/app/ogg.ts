// Puts Opus packets into an Ogg file (RFC 3533, RFC 7845): the form voice notes have.

const FRAME_SAMPLES = 960
const PRE_SKIP = 312
const PACKETS_PER_PAGE = 50
const SERIAL = 0x42414c43

/** @param packets of 20 ms each, mono at 48 kHz */
export function muxOpus(packets: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const pages = [createPage([createHeadPacket()], 0n, 0, 2), createPage([createTagsPacket()], 0n, 1, 0)]
  for (let from = 0; from < packets.length; from += PACKETS_PER_PAGE) {
    const part = packets.slice(from, from + PACKETS_PER_PAGE)
    const end = from + part.length
    pages.push(createPage(part, BigInt(end * FRAME_SAMPLES), pages.length, end >= packets.length ? 4 : 0))
  }
  const file = new Uint8Array(pages.reduce((sum, one) => sum + one.length, 0))
  let at = 0
  for (const one of pages) {
    file.set(one, at)
    at += one.length
  }
  return file
}

function createHeadPacket(): Uint8Array {
  const bytes = new Uint8Array(19)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('OpusHead'))
  bytes[8] = 1
  bytes[9] = 1
  view.setUint16(10, PRE_SKIP, true)
  view.setUint32(12, 48_000, true)
  return bytes
}

function createTagsPacket(): Uint8Array {
  const vendor = new TextEncoder().encode('balcao')
  const bytes = new Uint8Array(16 + vendor.length)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('OpusTags'))
  view.setUint32(8, vendor.length, true)
  bytes.set(vendor, 12)
  return bytes
}

/** @param flags 2 begins the stream, 4 ends it */
function createPage(packets: Uint8Array[], granule: bigint, sequence: number, flags: number): Uint8Array {
  const lacing = packets.flatMap(packet => [...Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255])
  const body = packets.reduce((sum, packet) => sum + packet.length, 0)
  const bytes = new Uint8Array(27 + lacing.length + body)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('OggS'))
  bytes[5] = flags
  view.setBigUint64(6, granule, true)
  view.setUint32(14, SERIAL, true)
  view.setUint32(18, sequence, true)
  bytes[26] = lacing.length
  bytes.set(lacing, 27)
  let at = 27 + lacing.length
  for (const packet of packets) {
    bytes.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, computeCrc(bytes), true)
  return bytes
}

/** Ogg's checksum: polynomial 04c11db7, neither reflected nor inverted. */
function computeCrc(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}
