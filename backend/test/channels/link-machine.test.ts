// The life of a connection that all kinds share (docs/decisions/0268): what is told, and when the next attempt is.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import {
  choosePause,
  LinkMachine,
  type LinkStatus,
  type RetryPlan,
} from '../../src/messaging/channels/shared/link-machine.ts'

const STEADY_MS = 30_000
const BEGUN = Date.UTC(2026, 10, 28)
let machine: LinkMachine
let attempts: number
let closed: boolean[]
let statuses: LinkStatus[]
let errors: unknown[]
/** What the next attempts meet. */
let fault: Error | null

beforeEach(() => {
  jest.useFakeTimers({ now: BEGUN })
  attempts = 0
  closed = []
  statuses = []
  errors = []
  fault = null
  machine = new LinkMachine(
    {
      connect: async () => {
        attempts++
        if (fault) throw fault
      },
      disconnect: wasOpen => void closed.push(wasOpen),
      tell: status => void statuses.push(status),
      failed: error => void errors.push(error),
    },
    STEADY_MS,
  )
})
afterEach(() => jest.useRealTimers())

const RETRY: RetryPlan = { status: 'DISCONNECTED', code: '428', reason: 'network', next: 'retry', afterMs: 1000 }
const RESTART: RetryPlan = { status: 'OPENING', code: '515', reason: 'restart', next: 'retry', afterMs: 0 }
const GIVE_UP: RetryPlan = { status: 'LOGGEDOUT', code: '401', reason: 'logged_out', next: 'read_qr', afterMs: null }

const begin = () => machine.restart(() => {})
const open = () => machine.opened(machine.turn)
const lose = (plan: RetryPlan) => machine.lost(machine.turn, plan.code, () => plan)
const pass = (ms: number) => {
  jest.advanceTimersByTime(ms)
}

type Step = () => Promise<unknown> | unknown

describe('from step to step', () => {
  const ROWS: readonly (readonly [name: string, steps: readonly Step[], phase: LinkMachine['phase'], tries: number])[] =
    [
      ['nothing begins by itself', [], 'idle', 0],
      ['it connects', [begin], 'connecting', 1],
      ['it is open', [begin, open], 'open', 1],
      [
        'open and not at the moment, it is still the same attempt',
        [begin, open, () => machine.suspend()],
        'connecting',
        1,
      ],
      ['open again after a moment', [begin, open, () => machine.suspend(), open], 'open', 1],
      ['lost, it waits', [begin, open, () => lose(RETRY)], 'waiting', 1],
      ['it does not try before its time', [begin, () => lose(RETRY), () => pass(999)], 'waiting', 1],
      ['and tries then', [begin, () => lose(RETRY), () => pass(1000)], 'connecting', 2],
      ['a restart is tried at once', [begin, () => lose(RESTART), () => pass(0)], 'connecting', 2],
      ['given up, nothing is tried', [begin, open, () => lose(GIVE_UP), () => pass(3_600_000)], 'idle', 1],
      [
        'left while it waits, nothing is tried',
        [begin, () => lose(RETRY), () => machine.leave(), () => pass(5000)],
        'idle',
        1,
      ],
      ['left before it began, nothing is tried', [() => machine.restart(() => void machine.leave())], 'idle', 0],
      [
        'what an older turn lost is nobody’s',
        [begin, () => machine.leave(), () => machine.lost(0, '428', () => RETRY)],
        'idle',
        1,
      ],
      ['what an older turn opened neither', [begin, () => machine.leave(), () => machine.opened(0)], 'idle', 1],
    ]
  for (const [name, steps, phase, tries] of ROWS)
    test(name, async () => {
      for (const step of steps) await step()
      expect([machine.phase, attempts]).toEqual([phase, tries])
    })
})

describe('what is told', () => {
  test('a loss says why, since when, how often and when it is tried again; being open ends it', async () => {
    await begin()
    await lose(RETRY)
    pass(1000)
    await lose(RETRY)
    pass(1000)
    await open()
    const at = (ms: number) => new Date(BEGUN + ms).toISOString()
    const since = at(0)
    const { status, afterMs: _, ...trouble } = RETRY
    expect(statuses).toEqual([
      { status, trouble: { ...trouble, since, attempt: 1, nextTryAt: at(1000) } },
      { status, trouble: { ...trouble, since, attempt: 2, nextTryAt: at(2000) } },
      { status: 'CONNECTED', trouble: null },
    ])
  })

  test('a restart is no trouble, and no failure of those that are counted', async () => {
    await begin()
    await lose(RETRY)
    await lose(RESTART)
    await lose(RETRY)
    expect(statuses.map(({ trouble }) => trouble?.attempt)).toEqual([1, undefined, 1])
  })

  test('of a driver’s plan only what a card shows', async () => {
    await lose({ ...RETRY, ...{ forget: true } })
    expect(statuses[0]?.trouble).not.toHaveProperty('forget')
  })

  test('left while a plan is made, nothing of it is told or done', async () => {
    const { promise, resolve } = Promise.withResolvers<RetryPlan>()
    const lost = machine.lost(machine.turn, '428', () => promise)
    machine.leave()
    resolve(RETRY)
    await lost
    pass(5000)
    expect([statuses, attempts]).toEqual([[], 0])
  })
})

describe('what is counted', () => {
  const counts = async (code: string) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await machine.lost(machine.turn, code, failures => {
      resolve(failures)
      return { ...RETRY, code }
    })
    return promise
  }

  test('failures in a row, and how often one code came in a row', async () => {
    expect(await counts('428')).toEqual({ attempt: 1, repeated: 1 })
    expect(await counts('428')).toEqual({ attempt: 2, repeated: 2 })
    expect(await counts('500')).toEqual({ attempt: 3, repeated: 1 })
  })

  test('a connection that held begins anew; one that was open for a moment goes on counting', async () => {
    await counts('440')
    pass(1000)
    await open()
    expect(await counts('440')).toEqual({ attempt: 2, repeated: 2 })
    pass(1000)
    await open()
    pass(STEADY_MS)
    expect(await counts('440')).toEqual({ attempt: 1, repeated: 1 })
  })

  test('only what was open is told to have been', async () => {
    await begin()
    await lose(RETRY)
    pass(1000)
    await open()
    await lose(RETRY)
    expect(closed).toEqual([false, false, true])
  })
})

describe('what goes wrong', () => {
  test('an attempt that throws is written down and made again after a second', async () => {
    fault = new Error('away')
    await begin()
    expect(errors).toEqual([fault])
    pass(1000)
    expect(attempts).toBe(2)
  })

  test('a plan that cannot be made too', async () => {
    await machine.lost(machine.turn, '428', () => Promise.reject(new Error('away')))
    pass(1000)
    expect([attempts, errors.length]).toEqual([1, 1])
  })
})

test('the pause grows to the last one and is spread by a fifth', () => {
  expect([1, 2, 3, 9].map(attempt => choosePause([10, 20, 30], attempt, () => 0.5))).toEqual([10, 20, 30, 30])
  expect([choosePause([100], 1, () => 0), choosePause([100], 1, () => 1)]).toEqual([80, 120])
})
