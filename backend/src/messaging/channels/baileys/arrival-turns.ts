// The library opens one message after the other, each only when the one before it is committed: a line that has fallen behind takes a
// round trip to the disk for every message. Here messages of different people are opened beside each other, and what came first is
// handed to the desk first: what waits there meanwhile is committed together.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Socket } from './link.ts'

/** So many are opened at a time. */
const MOST = 20

/** A message on its way from the line to the desk. */
export interface ArrivalTurn {
  /** Waits, unless the message may be opened beside others, until all before it are over; those after it wait for it then. */
  begin(isBesideOthers: boolean): Promise<void>
  /** It stands in the queue for its session: those after it may queue up behind it. */
  enter(): void
  /** Hands something to the desk, after everything that came before. */
  hand<T>(work: () => Promise<T>): Promise<T>
}

/** All messages of a socket. */
export interface Arrivals {
  /** Begins no more; resolves when those begun are over. */
  settle(): Promise<void>
}

const running = new AsyncLocalStorage<ArrivalTurn>()

/** The message that is being opened here. */
export function getArrivalTurn(): ArrivalTurn {
  return running.getStore() ?? ALONE
}

/** Nothing comes before or after it. */
const ALONE: ArrivalTurn = { begin: async () => {}, enter: () => {}, hand: work => work() }

/**
 * Gives the messages of a socket their turns, in place of its mutex. A message waits only for those before it, so nobody waits for
 * ever: until each has entered the queue of its session, and then, with its own open, until each was handed to the desk.
 */
export function giveArrivalTurns({ messageMutex }: Pick<Socket, 'messageMutex'>): Arrivals {
  let isSettling = false
  let last = { entered: Promise.resolve(), handed: Promise.resolve(), over: Promise.resolve() }
  const slots = new Slots(MOST)
  messageMutex.mutex = async <T>(open: () => Promise<T> | T): Promise<T> => {
    // It is not answered, so it comes again.
    if (isSettling) return new Promise<never>(() => {})
    const before = last
    const [entered, handed, over] = [step(), step(), step()]
    last = {
      entered: entered.promise,
      handed: handed.promise.then(() => before.handed),
      over: over.promise.then(() => before.over),
    }
    await before.entered
    await slots.take()
    let isSealed = false
    const turn: ArrivalTurn = {
      async begin(isBesideOthers) {
        isSealed = true
        if (!isBesideOthers) await before.over
      },
      enter: () => entered.resolve(),
      async hand(work) {
        await before.handed
        const done = work()
        handed.resolve()
        return done
      },
    }
    try {
      return await running.run(turn, async () => open())
    } finally {
      // What came in clear, or is only named, the library itself tells of right after this.
      if (!isSealed) await before.handed
      slots.release()
      for (const { resolve } of [entered, handed, over]) resolve()
    }
  }
  return {
    settle() {
      isSettling = true
      return last.over
    },
  }
}

function step() {
  return Promise.withResolvers<void>()
}

class Slots {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  async take(): Promise<void> {
    if (this.free > 0) this.free--
    else await new Promise<void>(next => this.waiting.push(next))
  }

  release(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}

/**
 * Whether a message may be opened beside those of others: it is of one person and sealed once. A group's key may come with the message before,
 * and what our own devices tell each other may be what the next message needs.
 */
export function isOpenedBesideOthers(stanza: BinaryNode | undefined): boolean {
  if (!stanza || !Array.isArray(stanza.content)) return false
  const { from = '', category, participant } = stanza.attrs
  const sealed = stanza.content.filter(({ tag }) => tag === 'enc')
  return (
    /@(lid|s\.whatsapp\.net)$/.test(from) && participant === undefined && category !== 'peer' && sealed.length === 1
  )
}
