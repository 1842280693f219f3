// One address that follows the primary of a database, as HAProxy before Patroni or a managed service gives it: outside of the product.
import { connect, createServer, type Socket } from 'node:net'

export interface PrimaryAddress {
  readonly url: string
  /** Sends newcomers to another server, and everybody else away. */
  follow(url: string): void
  close(): void
}

/** Listens on a free port of this machine and passes everything on to the server of `url`. */
export async function followPrimary(url: string): Promise<PrimaryAddress> {
  let primary = new URL(url)
  const sockets = new Set<Socket>()
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const front = createServer(client => {
    const server = connect(Number(primary.port), primary.hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>(done => front.listen(0, '127.0.0.1', done))
  const at = front.address()
  const own = new URL(url)
  own.host = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  return {
    url: own.href,
    follow(next) {
      primary = new URL(next)
      closeAll()
    },
    close() {
      front.close()
      closeAll()
    },
  }
}
