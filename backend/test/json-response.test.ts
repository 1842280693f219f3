// Answers in JSON: short ones with their length, long ones as a stream, because of what Bun writes before a long body (json-response.ts).
import { afterAll, expect, test } from 'bun:test'
import { createJsonResponse } from '../src/platform/http/json-response.ts'

const values = new Map<string, unknown>([
  ['/short', { name: 'São João', none: undefined, list: [1, null] }],
  ['/long', Array.from({ length: 2000 }, (_, id) => ({ id, name: 'Padaria São João 🥐' }))],
])
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    // Later than the request, as whatever is read from a database.
    await new Promise(setImmediate)
    const headers = new Headers({ 'cache-control': 'no-store' })
    return createJsonResponse(values.get(new URL(request.url).pathname), { status: 201, headers })
  },
})
afterAll(() => server.stop(true))

test('an answer is the same JSON whatever its length, and only a short one is held together with its headers', async () => {
  const sizes = []
  for (const [path, value] of values) {
    const answer = await fetch(new URL(path, server.url))
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(value)))
    sizes.push(answer.headers.get('content-length') ?? answer.headers.get('transfer-encoding'))
  }
  expect(sizes).toEqual([String(Buffer.byteLength(JSON.stringify(values.get('/short')))), 'chunked'])
})

test('long answers that come at once, one after the other over one connection, are each whole', async () => {
  const answers = Array.from({ length: 50 }, async () => (await fetch(new URL('/long', server.url))).text())
  expect(new Set(await Promise.all(answers))).toEqual(new Set([JSON.stringify(values.get('/long'))]))
})
