// Percentiles and repeated timing. Times are milliseconds.

/** The value below which a share of the samples lies (nearest rank). */
export function computePercentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Polls until a condition holds; throws what was waited for after `seconds`. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  seconds: number,
  label: string,
  everyMs = 20,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within ${seconds} s: ${label}`)
    await Bun.sleep(everyMs)
  }
}

/** The most of something that is looked at ten times a second unless said otherwise, until it is stopped. */
export function watchMost(read: () => Promise<number>, everyMs = 100): { stop(): number } {
  let most = 0
  const timer = setInterval(() => {
    void read().then(now => {
      most = Math.max(most, now)
    })
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}
