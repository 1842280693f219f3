import { afterEach, expect, test } from 'bun:test'
import type { ClientFrame, ServerFrame } from '@balcao/contract/events'
import { type ServerWebSocket, serve } from 'bun'
import { createLive, type LiveOptions, type LiveState, LONGEST_UNNOTICED } from '../src/live.ts'

const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

test('a fresh client says hello without a cursor and goes on from the welcome', async () => {
  const { live, frames, states } = world()
  await until(() => states.at(-1)?.state === 'live', 'live')
  expect(frames[0]).toEqual({ type: 'hello', cursor: null })
  expect(live.cursor).toBe('10')
})

test('after a broken line it says hello with the last cursor and gets what it missed', async () => {
  const { live, frames, heard, hellos, push, cut } = world()
  await until(() => hellos() === 1, 'first hello')
  push({ type: 'events', cursor: '12', events: [tagGone(1)] })
  await until(() => heard.length === 1, 'first event')
  cut()
  await until(() => hellos() === 2, 'second hello')
  push({ type: 'events', cursor: '14', events: [tagGone(2)] })
  await until(() => heard.length === 2, 'the missed event')
  expect(frames.filter(frame => frame.type === 'hello').at(-1)).toEqual({ type: 'hello', cursor: '12' })
  expect(live.cursor).toBe('14')
})

test('the welcome comes after what was missed, and its cursor is the next to go on from', async () => {
  const { live, cut } = world()
  await until(() => live.cursor === '10', 'first welcome')
  cut({ type: 'welcome', cursor: '99' })
  await until(() => live.cursor === '99', 'second welcome')
})

test('a reset in answer to hello is a beginning too: it is live and enters its conversations again', async () => {
  const { live, frames, states, resets, cut } = world()
  await until(() => states.at(-1)?.state === 'live', 'live')
  live.join(7)
  await until(() => frames.some(frame => frame.type === 'joinChatBox'), 'joined')
  const before = resets()
  cut({ type: 'reset', cursor: '700' })
  await until(() => live.cursor === '700' && states.at(-1)?.state === 'live', 'live after the reset')
  await until(() => frames.filter(frame => frame.type === 'joinChatBox').length === 2, 'joined again')
  expect(resets()).toBe(before + 1)
})

test('while catching up it tells how far it is, and then that it is live', async () => {
  const { states, push, hellos } = world()
  await until(() => hellos() === 1, 'hello')
  push({ type: 'events', cursor: '11', events: [tagGone(1), tagGone(2)], remaining: 3 })
  push({ type: 'events', cursor: '12', events: [tagGone(3), tagGone(4), tagGone(5)], remaining: 0 })
  await until(() => states.some(({ state }) => state === 'catching-up') && states.at(-1)?.state === 'live', 'caught up')
  expect(states.find(({ state }) => state === 'catching-up')).toEqual({ state: 'catching-up', done: 2, total: 5 })
})

test('a reset tells every screen to fetch afresh and goes on from its cursor', async () => {
  const { live, push, states } = world()
  let fetched = 0
  await until(() => states.at(-1)?.state === 'live', 'live')
  live.onReset(() => {
    fetched += 1
  })
  push({ type: 'reset', cursor: '500' })
  await until(() => fetched === 1, 'reset heard')
  expect(live.cursor).toBe('500')
})

test('what was shown before the first welcome is fetched again, because events may have passed', async () => {
  const { resets, hellos } = world()
  await until(() => hellos() === 1, 'hello')
  await until(() => resets() === 1, 'fetched again')
  expect(resets()).toBe(1)
})

test('a joined conversation is joined again after a reconnect, and left only by the last who leaves', async () => {
  const { live, frames, states, hellos, cut } = world()
  await until(() => states.at(-1)?.state === 'live', 'live')
  const leaveFirst = live.join(7)
  const leaveSecond = live.join(7)
  leaveFirst()
  await until(() => frames.some(frame => frame.type === 'joinChatBox'), 'joined')
  cut()
  await until(() => hellos() === 2, 'second hello')
  await until(() => frames.filter(frame => frame.type === 'joinChatBox').length === 2, 'joined again')
  expect(frames.some(frame => frame.type === 'leaveChatBox')).toBe(false)
  await until(() => states.at(-1)?.state === 'live', 'live again')
  leaveSecond()
  await until(() => frames.some(frame => frame.type === 'leaveChatBox'), 'left')
})

test('the heartbeat goes out at once and then in its rhythm', async () => {
  const { frames } = world({ heartbeat: 5 })
  await until(() => frames.filter(frame => frame.type === 'user-heartbeat').length >= 3, 'three heartbeats')
})

test('a screen that fails on an event keeps it from no one else', async () => {
  const reported: unknown[] = []
  const { live, heard, push, hellos } = world({ onError: error => reported.push(error) })
  live.on('tag', () => {
    throw new Error('broken screen')
  })
  const after: number[] = []
  live.on('tag', event => after.push(event.version))
  await until(() => hellos() === 1, 'hello')
  push({ type: 'events', cursor: '11', events: [tagGone(1)] })
  await until(() => after.length === 1, 'heard by the other screen')
  expect([heard.length, reported.length]).toEqual([1, 1])
})

test('a line that died without a word is noticed, told, and replaced by one that goes on where it stood', async () => {
  const { live, frames, states, hellos, fallSilent } = world({ pulse: 5, patience: 100 })
  await until(() => frames.filter(frame => frame.type === 'pulse').length >= 3, 'three pulses')
  expect([states.at(-1)?.state, hellos()]).toEqual(['live', 1])
  fallSilent()
  await until(() => hellos() === 2 && states.at(-1)?.state === 'live', 'live again')
  expect(states.map(({ state }) => state)).toContain('offline')
  expect([frames.filter(frame => frame.type === 'hello').at(-1), live.cursor]).toEqual([
    { type: 'hello', cursor: '10' },
    '10',
  ])
})

test('a server that ends in order sends it to another one at once: nobody is told offline, and nothing is missed', async () => {
  const { live, frames, states, hellos, restart } = world({ firstWait: 60_000 })
  await until(() => states.at(-1)?.state === 'live', 'live')
  live.join(7)
  await until(() => frames.some(frame => frame.type === 'joinChatBox'), 'joined')
  restart()
  await until(() => hellos() === 2, 'hello at the other one')
  await until(() => frames.filter(frame => frame.type === 'joinChatBox').length === 2, 'joined again')
  expect(states.map(({ state }) => state)).not.toContain('offline')
  expect(frames.filter(frame => frame.type === 'hello').at(-1)).toEqual({ type: 'hello', cursor: '10' })
})

test('between two pulses and the patience with them a dead line is noticed within 40 s', () => {
  expect(LONGEST_UNNOTICED).toBeLessThanOrEqual(40_000)
})

function world({ heartbeat, ...line }: Partial<LiveOptions> = {}) {
  const frames: ClientFrame[] = []
  const heard: number[] = []
  const states: LiveState[] = []
  let socket: ServerWebSocket<undefined> | undefined
  let dead: ServerWebSocket<undefined> | undefined
  let greeting: ServerFrame = { type: 'welcome', cursor: '10' }
  let resets = 0

  const server = serve<undefined>({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 404 })),
    websocket: {
      open(opened) {
        socket = opened
      },
      message(from, text) {
        const frame: ClientFrame = JSON.parse(String(text))
        frames.push(frame)
        if (from === dead) return
        if (frame.type === 'hello') from.send(JSON.stringify(greeting))
        if (frame.type === 'pulse') from.send(JSON.stringify(frame))
      },
    },
  })
  const live = createLive({
    token: async () => 'once',
    address: () => `${server.url.href.replace(/^http/, 'ws')}socket`,
    onState: state => states.push(state),
    heartbeat,
    firstWait: 1,
    ...line,
  })
  live.on('tag', event => heard.push(event.version))
  live.onReset(() => {
    resets += 1
  })
  live.start()
  stops.push(() => server.stop(true), live.stop)

  return {
    live,
    frames,
    heard,
    states,
    resets: () => resets,
    hellos: () => frames.filter(frame => frame.type === 'hello').length,
    push: (frame: ServerFrame) => socket?.send(JSON.stringify(frame)),
    /** From now on nothing comes over this line, and nobody is told. */
    fallSilent() {
      dead = socket
    },
    /** As a server does that is asked to end. */
    restart: () => socket?.close(1012, 'restarting'),
    cut(nextGreeting = greeting) {
      greeting = nextGreeting
      socket?.close()
    },
  }
}

async function until(condition: () => boolean, label: string) {
  for (const end = Date.now() + 10_000; Date.now() < end; await Bun.sleep(1)) if (condition()) return
  throw new Error(`never happened: ${label}`)
}

function tagGone(version: number) {
  return { event: 'tag', action: 'delete', version, tagId: 1 } as const
}

/** A server that welcomes, and a client that is connected to it. */
