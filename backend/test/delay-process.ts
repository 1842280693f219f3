// The desk in a process that says at /delay for how many ms its event loop stood still at the longest since it was last asked.
import { startServer } from '../src/app/server.ts'

const EVERY_MS = 2
let longest = 0
let at = performance.now()
let used = process.cpuUsage()
/** The longest that the loop itself worked without a pause, whatever its helpers did beside it or the machine to it. */
let busiest = 0
let worked = process.threadCpuUsage()

setInterval(() => {
  const now = performance.now()
  const { user, system } = process.cpuUsage(used)
  // A process that gets no processor stands still, too, and that is not what it does to others.
  longest = Math.max(longest, Math.min(now - at - EVERY_MS, (user + system) / 1000))
  const own = process.threadCpuUsage(worked)
  busiest = Math.max(busiest, Math.min(now - at - EVERY_MS, (own.user + own.system) / 1000))
  at = now
  worked = process.threadCpuUsage()
  used = process.cpuUsage()
}, EVERY_MS)

function tellDelay(request: Request): Response {
  const answer = request.url.endsWith('reference') ? { reference: measureReference() } : { longest, busiest }
  longest = 0
  busiest = 0
  at = performance.now()
  worked = process.threadCpuUsage()
  used = process.cpuUsage()
  return Response.json(answer)
}

const TEXT = JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ id: n, name: `Ana ${n}`, tags: [n, n + 1] })))

/** What a work that never changes costs at this moment, in ms of processor: fresh memory, and a text that is read and written. */
function measureReference(): number {
  const before = process.threadCpuUsage()
  new Uint8Array(4 * 1024 * 1024).fill(1)
  JSON.stringify(JSON.parse(TEXT))
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** What the least server does with a body: it takes all of it in, and keeps nothing. */
async function takeBody(request: Request): Promise<Response> {
  for await (const _ of request.body ?? []);
  return new Response()
}

const bare = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: takeBody })
await startServer({ mounts: [{ prefix: '/delay', fetch: tellDelay }] })
process.stdout.write(`ready, and bare at ${bare.port}\n`)
