// Percentiles and repeated timing. Times are milliseconds.

/** The value below which a share of the samples lies (nearest rank). */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** How long each of `times` calls took, one after the other, after `warm` calls that do not count. */
export async function timeEach(times: number, call: (n: number) => Promise<unknown>, warm = 20): Promise<number[]> {
  for (let n = 0; n < warm; n++) await call(n)
  const samples: number[] = []
  for (let n = 0; n < times; n++) {
    const start = performance.now()
    await call(n)
    samples.push(performance.now() - start)
  }
  return samples
}

/** Polls until a condition holds; throws what was waited for after `seconds`. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  seconds: number,
  what: string,
  everyMs = 20,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within ${seconds} s: ${what}`)
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
