// The rows equal a fresh fetch (decision 0161): whatever crosses on its way and however often the line breaks, in the end every list,
// conversation and count shows what a fresh fetch would. The client's own stores and its own live line over random days, with a
// server of nothing but memory; `screens.test.ts` asks the same of the real server.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { createLive } from '@balcao/client'
import { SCREENS, type StoreScreen } from './small-screens.ts'
import { SmallServer, Wire } from './small-server.ts'

const DAYS = 200
const STEPS = 100
/** Longer than any day: the line breaks when the day wants it, not for its own pulse. */
const NEVER = 2_000_000_000
beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

describe('days of late answers and lost lines end with what a fresh fetch shows:', () => {
  test.each(Object.keys(SCREENS))('%s', async name => {
    for (let seed = 1; seed <= DAYS; seed++) await day(name, seed)
  })
})

async function day(name: string, seed: number) {
  const server = new SmallServer(seed)
  const live = createLive({
    token: () => (server.isUp ? Promise.resolve('token') : Promise.reject(new Error('no line'))),
    address: () => 'ws://small/socket',
    socket: () => new Wire(server),
    onState: () => undefined,
    heartbeat: NEVER,
    pulse: NEVER,
    patience: NEVER,
  })
  server.line = live
  try {
    const screen = SCREENS[name]?.(server, live)
    if (!screen) throw new Error(`There is no ${name}`)
    live.onReset(() => void screen.reset())
    for (let many = 0; many < 60; many++) screen.happen()
    live.start()
    const troubles = server.random.pick([0, 0.02, 0.06])
    for (let step = 0; step < STEPS; step++) {
      passHour(server, screen, troubles)
      await settled()
    }
    server.mend()
    await quiet(server)
    expect({ name, seed, shown: screen.shown() }).toEqual({ name, seed, shown: screen.fresh() })
    for (let pages = 0; !screen.toTheEnds(); pages++) {
      if (pages > 100) throw new Error(`${name}, seed ${seed}: what is shown has no end`)
      await quiet(server)
    }
    expect({ name, seed, whole: screen.shown() }).toEqual({ name, seed, whole: screen.fresh() })
  } finally {
    live.stop()
    jest.clearAllTimers()
  }
}

function passHour(server: SmallServer, { happen, act }: StoreScreen, troubles: number) {
  const { chance, upTo } = server.random
  if (!server.isUp && chance(0.3)) return server.mend()
  if (chance(troubles)) {
    if (chance(0.5)) return server.cut()
    return server.silently(() => {
      happen()
      happen()
    })
  }
  const kind = upTo(20)
  if (kind < 8) happen()
  else if (kind < 11) act()
  else if (kind < 19) server.arrive()
  else jest.advanceTimersByTime(300)
}

/** All that is on its way arrives, and so does what is asked for then. */
async function quiet(server: SmallServer) {
  do {
    while (server.isBusy) {
      server.arrive()
      await settled()
    }
    jest.advanceTimersByTime(2000)
    await settled()
  } while (server.isBusy)
}

/** Whatever is ready to happen happens. */
async function settled() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
