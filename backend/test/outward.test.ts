// Addresses that people name and flows tell are called only where the internet is (decisions-2 §10, §22): by name, by what the name leads
// to, by every step of a detour; and a name that leads elsewhere a moment later leads nowhere.
import { afterAll, describe, expect, test } from 'bun:test'
import {
  callOutside,
  isPublicIp,
  OutwardError,
  type OutwardOptions,
  readOutwardBody,
} from '../src/platform/http/outward.ts'

const heard: string[] = []
const listening = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    heard.push(request.headers.get('host') ?? '')
    return new URL(request.url).pathname === '/big'
      ? new Response(new Uint8Array(200_000))
      : new Response('olá', { headers: { 'x-origin': request.headers.get('origin') ?? 'none' } })
  },
})
afterAll(() => listening.stop(true))
const here = `127.0.0.1:${listening.port}`

async function outcome(address: string, outward: Partial<OutwardOptions> = {}): Promise<string> {
  try {
    const answer = await callOutside(address, {}, { allowed: [], ms: 1000, ...outward })
    return await answer.text()
  } catch (error) {
    if (error instanceof OutwardError) return error.fault
    throw error
  }
}
const leadsTo =
  (...addresses: readonly string[]) =>
  async () =>
    addresses

describe('decisions-2 §10: what may be called', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fd00::1',
    'fc00::1',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '2001:db8::1',
    '2001::1',
    'example.com',
    '',
  ])('%p is not of the internet', address => expect(isPublicIp(address)).toBe(false))

  test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2001:4860:4860::8888'])(
    '%p is',
    address => expect(isPublicIp(address)).toBe(true),
  )

  test.each([
    ['not an address', 'private'],
    ['file:///etc/passwd', 'private'],
    ['ftp://flow.example', 'private'],
    ['https://somebody:secret@flow.example', 'private'],
    ['https://127.0.0.1', 'private'],
    ['https://[::1]', 'private'],
    ['https://2130706433', 'private'],
    ['https://0x7f.1', 'private'],
    ['https://localhost', 'private'],
    ['https://intranet', 'private'],
    ['https://flow.internal', 'private'],
    ['http://flow.example', 'insecure'],
  ])('%p is refused before anybody is asked for it', async (address, fault) => {
    let looked = 0
    const resolve = async () => {
      looked++
      return ['8.8.8.8']
    }
    expect(await outcome(address, { resolve })).toBe(fault)
    expect(looked).toBe(0)
  })

  test.each([[['127.0.0.1']], [['10.0.0.1']], [['::1']], [['8.8.8.8', '169.254.169.254']], [['fd00::1']]])(
    'a public name that leads to %p is refused',
    async addresses => {
      const before = heard.length
      expect(await outcome(`https://flow.example:${listening.port}`, { resolve: leadsTo(...addresses) })).toBe(
        'private',
      )
      expect(
        await outcome(`http://flow.example:${listening.port}`, { plain: true, resolve: leadsTo(...addresses) }),
      ).toBe('private')
      expect(heard.length).toBe(before)
    },
  )

  test('a name is looked up once, and what is called is what was looked at', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    let looked = 0
    const resolve = async () => answers[looked++] ?? []
    const allowed = [`flow.example:${listening.port}`]
    expect(await outcome(`http://flow.example:${listening.port}/x`, { allowed, resolve })).toBe('olá')
    expect([looked, heard.at(-1)]).toEqual([1, `flow.example:${listening.port}`])
  })

  test('ALLOW_PRIVATE_HOSTS names a host, or a host with its port and no other', async () => {
    expect(await outcome(`http://${here}`, { allowed: [here] })).toBe('olá')
    expect(await outcome(`http://${here}`, { allowed: ['127.0.0.1'] })).toBe('olá')
    expect(await outcome(`http://${here}`, { allowed: ['127.0.0.1:1'] })).toBe('private')
    expect(await outcome(`http://${here}`, { allowed: ['27.0.0.1'] })).toBe('private')
    expect(await outcome(`http://${here}`)).toBe('private')
  })

  test('the next address is tried where nobody listens at the first', async () => {
    const allowed = ['flow.example']
    const resolve = leadsTo('127.0.0.2', '127.0.0.1')
    expect(await outcome(`http://flow.example:${listening.port}`, { allowed, resolve })).toBe('olá')
  })
})

describe('decisions-2 §10: what became of a call', () => {
  test('no such name, and nobody who listens, are certainly not sent', async () => {
    const nowhere = async () => {
      throw new Error('ENOTFOUND')
    }
    expect(await outcome('https://flow.example', { resolve: nowhere })).toBe('unsent')
    expect(await outcome('http://127.0.0.1:1', { allowed: ['127.0.0.1'] })).toBe('unsent')
    expect(await outcome('https://flow.example', { resolve: () => new Promise(() => {}), ms: 30 })).toBe('unsent')
  })

  test('a connection that breaks is in doubt, and so is one that takes too long', async () => {
    const breaking = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        data(socket) {
          socket.end()
        },
      },
    })
    expect(await outcome(`http://127.0.0.1:${breaking.port}`, { allowed: ['127.0.0.1'] })).toBe('lost')
    breaking.stop(true)
    const silent = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
    expect(await outcome(`http://127.0.0.1:${silent.port}`, { allowed: ['127.0.0.1'], ms: 50 })).toBe('slow')
    silent.stop(true)
  })

  test('where TLS is asked for and none is spoken nothing was said', async () => {
    expect(['insecure', 'lost']).toContain(await outcome(`https://${here}`, { allowed: [here] }))
  })

  test('a body of more than may come is given up, announced or not', async () => {
    const answer = await callOutside(`http://${here}/big`, {}, { allowed: [here], ms: 1000 })
    await expect(Array.fromAsync(readOutwardBody(answer, 100_000))).rejects.toMatchObject({ fault: 'tooLarge' })
    let sent = 0
    const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
      sent += 50_000
      stream.enqueue(new Uint8Array(50_000))
    }
    const quiet = new Response(new ReadableStream({ pull }))
    await expect(Array.fromAsync(readOutwardBody(quiet, 100_000))).rejects.toMatchObject({ fault: 'tooLarge' })
    expect(sent).toBeLessThanOrEqual(250_000)
    const whole = await Array.fromAsync(readOutwardBody(new Response('olá'), 100))
    expect(Buffer.concat(whole).toString()).toBe('olá')
  })
})
