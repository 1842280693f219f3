// The least a server can do: answers, and gives every frame of one socket to all of them. Nothing is stored, nobody is asked who he is.
const server = Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  async fetch(request, self) {
    const { pathname } = new URL(request.url)
    if (pathname === '/socket') return self.upgrade(request) ? undefined : new Response(null, { status: 400 })
    if (pathname === '/publish') self.publish('all', await request.text())
    return new Response('ok')
  },
  websocket: {
    open: ws => void ws.subscribe('all'),
    message: ws => void ws.send('{"type":"welcome","cursor":"0.0"}'),
  },
})
process.on('SIGTERM', () => void server.stop(true).then(() => process.exit(0)))
