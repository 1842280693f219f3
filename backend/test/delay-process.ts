// The desk in a process that says at /delay for how many ms its event loop stood still at the longest, since it was last asked.
import { startServer } from '../src/app/server.ts'

const EVERY_MS = 2
let longest = 0
let at = performance.now()
let used = process.cpuUsage()

setInterval(() => {
  const now = performance.now()
  const { user, system } = process.cpuUsage(used)
  // A process that gets no processor stands still, too, and that is not what it does to others.
  longest = Math.max(longest, Math.min(now - at - EVERY_MS, (user + system) / 1000))
  at = now
  used = process.cpuUsage()
}, EVERY_MS)

function tellDelay(): Response {
  const answer = Response.json({ longest })
  longest = 0
  return answer
}

await startServer({ mounts: [{ prefix: '/delay', fetch: tellDelay }] })
process.stdout.write('ready\n')
