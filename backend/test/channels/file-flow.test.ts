import { afterAll, expect, test } from 'bun:test'
import { Graph } from '../../src/messaging/channels/cloud-api/graph.ts'

const PATIENCE_MS = 1000
const CHUNKS = 15

/** A file that comes in pieces over a second and a half; at `/silent` it stops after the first. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    let left = CHUNKS
    return new Response(
      new ReadableStream({
        async pull(to) {
          if (left < CHUNKS)
            await (request.url.endsWith('/silent') ? new Promise(() => {}) : Bun.sleep(PATIENCE_MS / 10))
          if (left-- > 0) to.enqueue(new Uint8Array(1000))
          else to.close()
        },
      }),
    )
  },
})
afterAll(() => server.stop(true))
const config = { url: server.url.origin, version: 'v1', appSecret: null, verifyToken: '' }
const graph = new Graph(config, 'token', PATIENCE_MS)

test('a file from Meta may take longer than any call, as long as it flows', async () => {
  const file = await graph.fetch(`${server.url.origin}/file`)
  expect((await new Response(file).bytes()).length).toBe(CHUNKS * 1000)
})

test('a file from Meta that falls silent is given up', async () => {
  const file = await graph.fetch(`${server.url.origin}/silent`)
  await expect(new Response(file).bytes()).rejects.toThrow('The file stopped coming')
})
