// A line between programs and servers: it hands bytes on as they are, and can be cut in the middle of an answer.
import { connect, createServer, type Socket } from 'node:net'

export interface TcpLine {
  readonly port: number
  /** Cuts after so many bytes of what comes back from now on, once for each. */
  cutAfter(...bytes: number[]): void
  /** Ends it with everything that goes over it. */
  stop(): Promise<void>
}

/** Opens one on a free port of this machine. `ports`: where a connection goes, or where else when nobody listens there. */
export async function startLine(ports: () => readonly number[]): Promise<TcpLine> {
  const cuts: number[] = []
  const open = new Set<Socket>()

  function know(socket: Socket): void {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }

  function join(near: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    let isThere = false
    know(far)
    far.on('connect', () => {
      isThere = true
      handOn(near, far)
    })
    far.on('close', () => {
      if (isThere) near.destroySoon()
      else join(near, others)
    })
  }

  function handOn(near: Socket, far: Socket): void {
    near.on('data', bytes => {
      if (!far.write(bytes)) near.pause()
    })
    far.on('drain', () => near.resume())
    far.on('data', bytes => {
      const left = cuts[0] ?? Number.POSITIVE_INFINITY
      if (left < bytes.length) {
        cuts.shift()
        near.write(bytes.subarray(0, left))
        far.destroy()
        return
      }
      if (cuts.length > 0) cuts[0] = left - bytes.length
      if (!near.write(bytes)) far.pause()
    })
    near.on('drain', () => far.resume())
    near.on('end', () => far.end())
    far.on('end', () => near.end())
    near.on('close', () => far.destroy())
    near.resume()
  }

  const server = createServer({ pauseOnConnect: true }, near => {
    know(near)
    join(near, ports())
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutAfter(...bytes) {
      cuts.push(...bytes)
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise(closed => server.close(closed))
    },
  }
}
