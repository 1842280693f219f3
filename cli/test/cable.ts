// A cable between the terminal and the desk, which can be pulled and put back.
import { afterAll } from 'bun:test'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Cable {
  /** The desk, through the cable. */
  readonly url: string
  /** Pulls it: what goes over it ends, and nothing new comes through until it is put back. */
  pull(): void
  putBack(): void
}

export async function startCable(deskUrl: string): Promise<Cable> {
  const ends = new Set<Socket>()
  let isPulled = false
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  const cable = createServer(near => {
    if (isPulled) return void near.destroy()
    const far = connect(Number(new URL(deskUrl).port), '127.0.0.1')
    for (const end of [near, far]) ends.add(end.on('error', () => {}).on('close', () => ends.delete(end)))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => cable.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    cable.close()
    cut()
  })
  const address = cable.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    pull() {
      isPulled = true
      cut()
    },
    putBack() {
      isPulled = false
    },
  }
}

/** A line to the desk on which the answer to the first call that fits is lost: the desk has done it. Where that line is. */
export async function startLossyLine(deskUrl: string, fits: (call: string) => boolean): Promise<string> {
  let isLost = false
  const line = createHttpServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy())
  })

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    headers.delete('host')
    const bytes = await buffer(request)
    const answer = await fetch(new URL(url, deskUrl), { method, headers, body: bytes.length > 0 ? bytes : null })
    const body = Buffer.from(await answer.arrayBuffer())
    if (!isLost && fits(`${method} ${url}`)) {
      isLost = true
      throw new Error('The line is cut')
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(body)
  }

  await new Promise<void>(resolve => line.listen(0, '127.0.0.1', resolve))
  afterAll(() => void line.close())
  const address = line.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
