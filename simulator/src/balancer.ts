// Stands in for a reverse proxy before several server processes: every connection goes to one that says it is ready, the next one in turn.
import { startLine } from './line.ts'

export interface Balancer {
  readonly url: string
  stop(): Promise<void>
}

const LOOK_MS = 100

/** Opens one before these addresses. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const ports = urls.map(url => Number(new URL(url).port))
  let ready: readonly number[] = ports
  let turn = 0

  async function check(): Promise<void> {
    const answers = await Promise.all(ports.map(isReady))
    ready = ports.filter((_, at) => answers[at])
  }

  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void check().finally(() => {
      looking = false
    })
  }, LOOK_MS)
  const line = await startLine(() => {
    turn++
    return ready.map((_, at) => ready[(at + turn) % ready.length] ?? 0)
  })
  return {
    url: `http://127.0.0.1:${line.port}`,
    async stop() {
      clearInterval(timer)
      await line.stop()
    },
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2000),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
