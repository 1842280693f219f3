// A line to a database that can be cut and mended.
import { connect, createServer, type Socket } from 'node:net'

export interface BrokenLine {
  /** The database's address at the near end. */
  readonly url: string
  /** Ends what is connected, and everybody who connects from now on. */
  cut(): void
  mend(): void
  /** Resolves when so many have been turned away. */
  refused(times: number): Promise<void>
}

export async function openLine(url: string): Promise<BrokenLine> {
  const far = new URL(url)
  const open = new Set<Socket>()
  const waiting: { times: number; done: () => void }[] = []
  let whole = true
  let refusals = 0
  const server = createServer(near => {
    near.on('error', () => {})
    if (!whole) {
      near.destroy()
      refusals++
      for (const one of waiting) if (refusals >= one.times) one.done()
      return
    }
    const on = connect(Number(far.port), far.hostname)
    on.on('error', () => near.destroy())
    near.on('close', () => on.destroy())
    on.on('close', () => near.destroy())
    near.pipe(on).pipe(near)
    open.add(near)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  server.unref()
  const address = server.address()
  const near = new URL(url)
  near.hostname = '127.0.0.1'
  near.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: near.href,
    cut() {
      whole = false
      for (const socket of open) socket.destroy()
      open.clear()
    },
    mend() {
      whole = true
    },
    refused: times => new Promise(done => (refusals >= times ? done() : waiting.push({ times, done }))),
  }
}
