// From the spawn of the server until it is ready, and what it weighs when nothing happens.
import { type Benchmark, readNumberOption } from './benchmark.ts'
import { withFolder } from './engine.ts'
import { computePercentile } from './measure.ts'
import { type MeasuredServer, startBare, startServer, startServerFromSources } from './processes.ts'

/** A server that was just started still has its compiler's garbage; weighed is the least of the following seconds. */
const SETTLE_MS = 10_000

export const start: Benchmark = {
  name: 'start',
  about:
    'the server with its embedded database: first start, later starts, memory when idle, beside itself from its sources',
  run(options) {
    const times = readNumberOption(options, 'starts', 5)
    return withFolder(async dataDir => {
      const first = await startServer({ DATA_DIR: dataDir })
      await first.stop()
      const later: number[] = []
      const bare: number[] = []
      const fromSources: number[] = []
      let idle = 0
      let bareIdle = 0
      let idleFromSources = 0
      for (let n = 1; n <= times; n++) {
        const reference = await startBare()
        bare.push(reference.startedIn)
        if (n === times) bareIdle = await measureIdleMemory(reference)
        await reference.stop()
        const server = await startServer({ DATA_DIR: dataDir })
        later.push(server.startedIn)
        if (n === times) idle = await measureIdleMemory(server)
        await server.stop()
        const other = await startServerFromSources({ DATA_DIR: dataDir })
        fromSources.push(other.startedIn)
        if (n === times) idleFromSources = await measureIdleMemory(other)
        await other.stop()
      }
      const reference = { label: 'a bare Bun.serve process', value: computePercentile(bare, 0.5) / 1000 }
      return [
        { label: 'first start to ready, database made', value: first.startedIn / 1000, unit: 's', reference },
        { label: 'start to ready', value: computePercentile(later, 0.5) / 1000, unit: 's', reference, aim: 3 },
        {
          label: 'idle memory of the server',
          value: idle / 2 ** 20,
          unit: 'MB',
          reference: { label: reference.label, value: bareIdle / 2 ** 20 },
          aim: 180,
        },
        {
          label: 'start to ready, from the bundle',
          value: computePercentile(later, 0.5) / 1000,
          unit: 's',
          reference: { label: 'from its sources', value: computePercentile(fromSources, 0.5) / 1000 },
          ratioAim: 1,
        },
        {
          label: 'idle memory, from the bundle',
          value: idle / 2 ** 20,
          unit: 'MB',
          reference: { label: 'from its sources', value: idleFromSources / 2 ** 20 },
          ratioAim: 0.9,
        },
      ]
    })
  },
}

async function measureIdleMemory(server: MeasuredServer): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await Bun.sleep(500))
    least = Math.min(least, await server.memory())
  return least
}
