// Opening sounds: how long they are and their shape, kept by address.

export interface Sound {
  seconds: number
  /** 0 to 1, evenly over the time. */
  peaks: number[]
}

const PEAKS = 48
const known = new Map<string, Promise<Sound | undefined>>()

/** Nothing when the browser cannot decode the file. */
export function loadSound(url: string): Promise<Sound | undefined> {
  const found = known.get(url) ?? load(url)
  known.set(url, found)
  return found
}

/** The loudest sample of each slice, stretched so that the loudest of all is 1. */
export function computePeaks(samples: Float32Array): number[] {
  const slice = Math.max(1, Math.floor(samples.length / PEAKS))
  const peaks = Array.from({ length: PEAKS }, (_, index) => {
    let peak = 0
    for (let at = index * slice; at < Math.min((index + 1) * slice, samples.length); at++)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks)
  return loudest > 0 ? peaks.map(peak => peak / loudest) : peaks
}

async function load(url: string): Promise<Sound | undefined> {
  try {
    const bytes = await (await fetch(url)).arrayBuffer()
    const decoded = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes)
    return { seconds: decoded.duration, peaks: computePeaks(decoded.getChannelData(0)) }
  } catch {
    return undefined
  }
}
