// What a message from outside names as its file is an id or a place at the provider, never an address of our own network.
import { afterAll, describe, expect, test } from 'bun:test'
import { resolveDownloadUrl } from '../../src/messaging/channels/baileys/download.ts'
import { Graph, GraphError } from '../../src/messaging/channels/cloud-api/graph.ts'

const requests: string[] = []
let answer: object = {}
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    requests.push(new URL(request.url).pathname)
    return Response.json(answer)
  },
})
afterAll(() => server.stop(true))
const url = `http://127.0.0.1:${server.port}`
const graph = new Graph({ url, version: 'v26.0', appSecret: null, verifyToken: 'x' }, 'token', 2000)

describe('over the official API', () => {
  test('an id that is none is asked of nobody', async () => {
    for (const id of [
      '../../v1/me',
      '..',
      '127.0.0.1:1/x',
      'http://127.0.0.1:1/x',
      '1?fields=id',
      '1#x',
      '1/2',
      '%2e%2e',
      ' ',
      '',
    ]) {
      const refusal = await graph.get([id]).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(GraphError)
      expect([id, refusal instanceof GraphError && refusal.code]).toEqual([id, 100])
    }
    expect(requests).toEqual([])
    await graph.get(['1234567890'])
    expect(requests).toEqual(['/v26.0/1234567890'])
  })

  test('the token goes to no host without encryption but the configured one', async () => {
    requests.length = 0
    const other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: request => Response.json(requests.push(request.url)),
    })
    try {
      const fetched = graph.fetch(`http://localhost:${other.port}/file`)
      expect(await fetched.catch((error: unknown) => error)).toBeInstanceOf(GraphError)
      expect(requests).toEqual([])
      answer = { bytes: true }
      expect(await graph.fetch(`${url}/file`)).not.toBeNull()
    } finally {
      await other.stop(true)
    }
  })
})

describe('over a paired phone', () => {
  const theirs = 'https://media-gru1-1.cdn.whatsapp.net'

  test('a file is fetched from a host of WhatsApp', () => {
    expect(resolveDownloadUrl({ url: `${theirs}/v/t62?ccb=1`, directPath: '/v/t62?oh=2' }, null)).toBe(
      `${theirs}/v/t62?oh=2`,
    )
    expect(resolveDownloadUrl({ url: `${theirs}/v/t62` }, null)).toBe(`${theirs}/v/t62`)
    expect(resolveDownloadUrl({ directPath: '/v/t62' }, null)).toBe('https://mmg.whatsapp.net/v/t62')
  })

  test('whatever else the sender names is not asked', () => {
    expect(resolveDownloadUrl({ url: 'https://10.0.0.1/x', directPath: '/v/t62' }, null)).toBe(
      'https://mmg.whatsapp.net/v/t62',
    )
    for (const hostile of [
      { url: 'http://169.254.169.254/latest' },
      { url: 'https://evilwhatsapp.net/x' },
      { url: 'https://whatsapp.net.evil.example/x' },
      { url: 'http://mmg.whatsapp.net/x' },
      { url: 'file:///etc/passwd' },
      { directPath: '@10.0.0.1/x' },
      { directPath: ':8080/x' },
      { directPath: '.evil.example/x' },
      { url: `${theirs}/x`, directPath: '@10.0.0.1/x' },
      {},
    ])
      expect([hostile, resolveDownloadUrl(hostile, null)]).toEqual([hostile, null])
  })

  test('the host of another server of WhatsApp is the one that was configured', () => {
    expect(resolveDownloadUrl({ url: `${url}/mms/image/1` }, 'ws://127.0.0.1:9')).toBe(`${url}/mms/image/1`)
    expect(resolveDownloadUrl({ url: 'http://127.0.0.2/mms/image/1' }, 'ws://127.0.0.1:9')).toBe(null)
  })
})
