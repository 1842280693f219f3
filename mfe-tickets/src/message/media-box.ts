// The room a picture takes before it is there, so nothing jumps when it arrives. Pure.
const MOST = 320
const LEAST = 140

/** Width and height in px for a picture of the given size; a square-ish box when the size is not known. */
export function computeMediaBox(
  width: number | null | undefined,
  height: number | null | undefined,
): { width: number; height: number } {
  if (!width || !height) return { width: 260, height: 200 }
  const scale = Math.min(1, MOST / width, MOST / height)
  return { width: Math.max(LEAST, Math.round(width * scale)), height: Math.max(96, Math.round(height * scale)) }
}

const FLAT = Array.from({ length: 48 }, (_, i) => 20 + ((i * 37) % 50))

/** A waveform as `count` bars of 8 to 100 per cent; a calm made-up one where the channel gave none. */
export function toWaveBars(waveform: readonly number[] | null | undefined, count: number): number[] {
  const source = waveform && waveform.length > 0 ? waveform : FLAT
  const most = Math.max(1, ...source)
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * source.length) / count)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * source.length) / count))
    const slice = source.slice(from, to)
    const mean = slice.reduce((sum, value) => sum + value, 0) / Math.max(1, slice.length)
    return Math.max(8, Math.round((mean / most) * 100))
  })
}
