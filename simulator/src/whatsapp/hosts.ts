/** The listening sockets: websocket and plain downloads on one port, TLS uploads and downloads on the other. */
import type { ServerWebSocket } from 'bun'
import { buildPageHtml } from '../wwebjs/html'
import { BrowserPage } from '../wwebjs/page'
import type { TlsCertificate } from './certificates'
import { ServerConnection } from './connection'
import type { WhatsAppNetwork } from './world'

export interface Hosts {
  port: number
  mediaPort: number
  stop(): Promise<void>
}

interface SocketData {
  /** Where it was opened: the companion's line, or that of a page of WhatsApp Web. */
  path: string
  connection: ServerConnection | BrowserPage | undefined
}

export function startHosts(world: WhatsAppNetwork, tls: TlsCertificate, port: number, mediaPort: number): Hosts {
  const plain = Bun.serve<SocketData>({
    hostname: '127.0.0.1',
    port,
    async fetch(request, server) {
      const { pathname: path, host } = new URL(request.url)
      if (path === '/ws/chat' || path === '/ws/page') {
        return server.upgrade(request, { data: { path, connection: undefined } })
          ? undefined
          : new Response('This is a websocket', { status: 426 })
      }
      if (path.startsWith('/web/')) return new Response(await buildPageHtml(`ws://${host}/ws/page`))
      return serveFile(world, request)
    },
    websocket: {
      idleTimeout: 0,
      maxPayloadLength: 64 * 1024 * 1024,
      backpressureLimit: 256 * 1024 * 1024,
      open(socket: ServerWebSocket<SocketData>) {
        if (socket.data.path === '/ws/page') {
          const page = new BrowserPage(world, socket)
          socket.data.connection = page
          world.pages.add(page)
          return
        }
        const connection = new ServerConnection(world, socket)
        socket.data.connection = connection
        world.connections.add(connection)
      },
      message(socket, data) {
        const { connection } = socket.data
        if (connection instanceof BrowserPage) connection.received(data.toString())
        else if (typeof data !== 'string') connection?.received(data)
      },
      close(socket) {
        socket.data.connection?.closed()
      },
    },
  })
  const secure = Bun.serve({
    hostname: '127.0.0.1',
    port: mediaPort,
    tls: { key: tls.key, cert: tls.cert },
    maxRequestBodySize: 512 * 1024 * 1024,
    fetch: request => (request.method === 'POST' ? takeFile(world, request) : serveFile(world, request)),
  })
  return {
    port: plain.port ?? port,
    mediaPort: secure.port ?? mediaPort,
    stop: async () => {
      await Promise.all([plain.stop(true), secure.stop(true)])
    },
  }
}

async function takeFile(world: WhatsAppNetwork, request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  world.media.put(pathname, new Uint8Array(await request.arrayBuffer()))
  return Response.json({ url: `${origin}${pathname}`, direct_path: pathname })
}

function serveFile(world: WhatsAppNetwork, request: Request): Response {
  const file = world.media.get(new URL(request.url).pathname)
  return file ? new Response(new Blob([Buffer.from(file)])) : new Response('Gone', { status: 404 })
}
