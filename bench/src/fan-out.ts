// One message to 2,000 sockets of 50 different audiences: from its commit until the last of them has it, and what a socket costs.
import { receiveEvents } from '@balcao/backend/messaging/inbox/receive'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { openNotices } from '@balcao/backend/platform/database/notices'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { withDatabase, withFolder } from './engine.ts'
import { computePercentile, waitUntil } from './measure.ts'
import { makeTextMessage } from './messages.ts'
import { createSocketTokens, DATA_KEY, makePeople } from './people.ts'
import { type MeasuredServer, startBare, startServer } from './processes.ts'
import { type AgentSocket, openSockets } from './sockets.ts'

export const fanOut: Benchmark = {
  name: 'fan-out',
  about: 'one message to 2,000 sockets of 50 audiences, all clients in one process beside the server',
  run(options) {
    const sockets = readNumberOption(options, 'sockets', 2000)
    const audiences = readNumberOption(options, 'audiences', 50)
    const events = readNumberOption(options, 'events', 50)
    return withDatabase('fan', async url => {
      const own = await withFolder(dataDir => measureOurs(url, dataDir, sockets, audiences, events))
      const bare = await measureBare(sockets, events, own.frame)
      return toFigures(own, bare)
    })
  },
}

interface Result {
  /** From the commit to a socket, in ms, for every socket and event. */
  readonly times: number[]
  readonly bytesEach: number
  /** What each of as many more costs, when tables and pools have grown already. */
  readonly bytesEachMore: number
}

async function measureOurs(
  url: string,
  dataDir: string,
  sockets: number,
  audiences: number,
  events: number,
): Promise<Result & { frame: string }> {
  const db = openDatabase(url, { max: 4 })
  const notices = openNotices(db)
  const server = await startServer({ DATABASE_URL: url, DATA_KEY, DATA_DIR: dataDir })
  try {
    const people = await makePeople(db.$client, audiences, 'user')
    const [connection] = await db.$client<
      { id: number }[]
    >`insert into whatsapp (name, api, wanted) values ('Loja', 'baileys', false) returning id`
    const id = connection?.id ?? 0
    const crowd = Array.from({ length: sockets }, (_, n) => people[n % people.length] ?? people[0]).flatMap(
      one => one ?? [],
    )
    const enter = async (count: number) => {
      const opened: AgentSocket[] = []
      for (let at = 0; at < count; at += 500)
        opened.push(
          ...(await openSockets(
            server.url,
            await createSocketTokens(db.$client, crowd.slice(at, Math.min(count, at + 500))),
          )),
        )
      return opened
    }
    let frame = ''
    const send = async (mark: string): Promise<number> => {
      await receiveEvents(db, { id }, [makeTextMessage('5531987650001', mark, mark)])
      const committed = performance.now()
      notices.ring('live')
      return committed
    }
    return {
      ...(await measureCrowd(server, sockets, events, enter, send, text => {
        frame = text
      })),
      frame,
    }
  } finally {
    await server.stop()
    await notices.close()
    await closeDatabase(db)
  }
}

async function measureBare(sockets: number, events: number, frame: string): Promise<Result> {
  const server = await startBare()
  try {
    const enter = (count: number) =>
      openSockets(
        server.url,
        Array.from({ length: count }, () => 'none'),
      )
    const known = /FAN-[0-9a-f-]+/.exec(frame)?.[0] ?? ''
    const send = async (mark: string): Promise<number> => {
      const begun = performance.now()
      await fetch(`${server.url}/publish`, { method: 'POST', body: frame.replaceAll(known, mark) })
      return begun
    }
    return await measureCrowd(server, sockets, events, enter, send, () => {})
  } finally {
    await server.stop()
  }
}

/** Lets a crowd in, weighs it, and tells it things one after the other. */
async function measureCrowd(
  server: MeasuredServer,
  sockets: number,
  events: number,
  enter: (count: number) => Promise<AgentSocket[]>,
  send: (mark: string) => Promise<number>,
  seen: (frame: string) => void,
): Promise<Result> {
  // A first crowd warms the code up and leaves again: what is weighed then are sockets, not the compiler.
  const first = await enter(Math.min(200, sockets))
  for (const agent of first) agent.close()
  const before = await measureSettledMemory(server)
  const agents = await enter(sockets)
  const after = await measureSettledMemory(server)

  const times: number[] = []
  for (let n = 0; n < events; n++) {
    const mark = `FAN-${crypto.randomUUID()}`
    const arrivals: number[] = []
    for (const agent of agents)
      agent.heard = text => {
        if (!text.includes(mark)) return
        arrivals.push(performance.now())
        agent.heard = () => {}
        if (arrivals.length === 1) seen(text)
      }
    const committed = await send(mark)
    await waitUntil(() => arrivals.length === agents.length, 20, `all ${agents.length} sockets have ${mark}`)
    for (const at of arrivals) times.push(Math.max(0, at - committed))
  }
  const settledMemory = await measureSettledMemory(server)
  const more = await enter(sockets)
  const twice = await measureSettledMemory(server)
  for (const agent of [...agents, ...more]) agent.close()
  return { times, bytesEach: (after - before) / sockets, bytesEachMore: (twice - settledMemory) / sockets }
}

/** The least it takes within twelve seconds: garbage of the arrivals is not what a socket costs. */
async function measureSettledMemory(server: MeasuredServer): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 24; n++) {
    least = Math.min(least, await server.memory())
    await Bun.sleep(500)
  }
  return least
}

function toFigures(own: Result, bare: Result): Figure[] {
  const at = (share: number, label: string, aim?: number): Figure => ({
    label: `commit to socket, ${label}`,
    value: computePercentile(own.times, share),
    unit: 'ms',
    reference: { label: 'bare publish of the same frame', value: computePercentile(bare.times, share) },
    ...(aim === undefined ? {} : { aim }),
  })
  return [
    at(0.5, 'p50'),
    at(0.99, 'p99', 100),
    {
      label: 'memory of a socket, counted from an idle server',
      value: own.bytesEach / 1024,
      unit: 'KiB',
      reference: { label: 'a bare socket', value: bare.bytesEach / 1024 },
      aim: 8,
    },
    {
      label: 'memory of each of as many more',
      value: own.bytesEachMore / 1024,
      unit: 'KiB',
      reference: { label: 'a bare socket', value: bare.bytesEachMore / 1024 },
      aim: 3,
    },
  ]
}
