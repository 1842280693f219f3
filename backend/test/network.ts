// A provider for tests of the outbox: it lives in the test, so what it got survives the death of the desk's process.
import type { Outgoing, SendResult } from '../src/platform/channel/driver.ts'

export interface SentMessage {
  readonly to: string
  /** The id the desk gave, or the one we gave it. */
  readonly id: string
  readonly message: Outgoing
  /** What came with it and goes back with its receipts. */
  readonly trace: string | null
  readonly at: number
}

export interface TestNetwork {
  readonly url: string
  /** Everything that arrived, repeats included, in order. */
  readonly arrived: readonly SentMessage[]
  /** What the customers see: a repeat under a known id shows nothing new. */
  readonly shown: readonly SentMessage[]
  /** Answers for the next sends to an address, oldest first; without one a send succeeds. */
  answerNext(to: string, ...results: SendResult[]): void
  /** Sends wait until it is called again with false. */
  hold(held: boolean): void
  stop(): void
}

/** Starts it. */
export function startNetwork(): TestNetwork {
  const arrived: SentMessage[] = []
  const answers = new Map<string, SendResult[]>()
  let count = 0
  let gate = Promise.withResolvers<void>()
  gate.resolve()

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { to, id, message, trace }: Omit<SentMessage, 'at' | 'id'> & { id: string | null } = await request.json()
      await gate.promise
      const planned = answers.get(to)?.shift()
      if (planned && !planned.ok) return Response.json(planned)
      const providerId = id ?? `net-${++count}`
      arrived.push({ to, id: providerId, message, trace, at: Date.now() })
      const result: SendResult = planned ?? { ok: true, id: providerId, ack: 'sent', raw: { sent: providerId } }
      return Response.json(result)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    arrived,
    get shown() {
      return arrived.filter((one, at) => arrived.findIndex(other => other.id === one.id) === at)
    },
    answerNext(to, ...results) {
      answers.set(to, [...(answers.get(to) ?? []), ...results])
    },
    hold(held) {
      if (held) gate = Promise.withResolvers<void>()
      else gate.resolve()
    },
    stop: () => void server.stop(true),
  }
}
