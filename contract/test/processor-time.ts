// What a piece of work costs, whatever else the machine does meanwhile.

/** The processor time of the cheapest of three runs, in ms; counted in steps of a few ms. */
export async function measureProcessorMs(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
