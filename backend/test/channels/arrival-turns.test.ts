// Messages of a line that are opened beside each other: what may wait for what, and the order in which the desk gets them.
import { describe, expect, test } from 'bun:test'
import type { BinaryNode } from '@whiskeysockets/baileys'
import {
  getArrivalTurn,
  giveArrivalTurns,
  isOpenedBesideOthers,
} from '../../src/messaging/channels/baileys/arrival-turns.ts'

type Mutex = Parameters<typeof giveArrivalTurns>[0]['messageMutex']

function makeLine() {
  const messageMutex: Mutex = { mutex: async code => code() }
  const arrivals = giveArrivalTurns({ messageMutex })
  const delivered: string[] = []
  /** A message that waits to be opened, and then to be committed. */
  const arrive = (
    name: string,
    steps: { opened?: Promise<void>; committed?: Promise<void>; isBesideOthers?: boolean } = {},
  ) =>
    messageMutex.mutex(async () => {
      const turn = getArrivalTurn()
      const { isBesideOthers = true } = steps
      await turn.begin(isBesideOthers)
      if (isBesideOthers) turn.enter()
      await steps.opened
      await turn.hand(async () => {
        delivered.push(name)
        await steps.committed
      })
    })
  const clear = (name: string) => messageMutex.mutex(() => {}).then(() => delivered.push(name))
  return { arrivals, arrive, clear, told: delivered }
}

async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(next => setImmediate(next))
}

describe('messages of a line', () => {
  test('are handed to the desk in the order they came, whichever is open first, and wait for no commit of another', async () => {
    const { arrive, clear, told } = makeLine()
    const [opened, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const all = [
      arrive('first', { opened: opened.promise, committed: committed.promise }),
      arrive('second', { committed: committed.promise }),
      clear('in clear'),
      arrive('third', { committed: committed.promise }),
    ]
    await aWhile()
    expect(told).toEqual([])
    opened.resolve()
    await aWhile()
    expect(told).toEqual(['first', 'second', 'in clear', 'third'])
    committed.resolve()
    await Promise.all(all)
  })

  test('of a group are opened when all before are committed, and those after them wait', async () => {
    const { arrive, told } = makeLine()
    const committed = Promise.withResolvers<void>()
    const all = [
      arrive('person', { committed: committed.promise }),
      arrive('group', { isBesideOthers: false }),
      arrive('other person'),
    ]
    await aWhile()
    expect(told).toEqual(['person'])
    committed.resolve()
    await Promise.all(all)
    expect(told).toEqual(['person', 'group', 'other person'])
  })

  test('that cannot be opened or stored stop none of those after them', async () => {
    const { arrive, told } = makeLine()
    const broken = Promise.withResolvers<void>()
    const first = arrive('broken', { opened: broken.promise })
    const rest = Array.from({ length: 60 }, (_, n) => arrive(String(n)))
    broken.reject(new Error('Bad MAC'))
    await expect(first).rejects.toThrow('Bad MAC')
    await Promise.all(rest)
    expect(told).toEqual(Array.from({ length: 60 }, (_, n) => String(n)))
  })

  test('are finished when the line ends, and no more are begun', async () => {
    const { arrivals, arrive, told } = makeLine()
    const committed = Promise.withResolvers<void>()
    const under = arrive('under way', { committed: committed.promise })
    const settled = arrivals.settle().then(() => told.push('settled'))
    void arrive('too late')
    await aWhile()
    expect(told).toEqual(['under way'])
    committed.resolve()
    await Promise.all([under, settled])
    expect(told).toEqual(['under way', 'settled'])
  })
})

test('only what one person sealed once is opened beside others', () => {
  const stanza = (attrs: Record<string, string>, ...types: string[]): BinaryNode => ({
    tag: 'message',
    attrs: { from: '77@lid', ...attrs },
    content: types.map(type => ({ tag: 'enc', attrs: { type } })),
  })
  expect(isOpenedBesideOthers(stanza({}, 'msg'))).toBe(true)
  expect(isOpenedBesideOthers(stanza({ from: '5531987654321@s.whatsapp.net' }, 'pkmsg'))).toBe(true)
  expect(isOpenedBesideOthers(stanza({}, 'pkmsg', 'skmsg'))).toBe(false)
  expect(isOpenedBesideOthers(stanza({ from: '1@g.us', participant: '77@lid' }, 'skmsg'))).toBe(false)
  expect(isOpenedBesideOthers(stanza({ category: 'peer' }, 'msg'))).toBe(false)
  expect(isOpenedBesideOthers(stanza({}))).toBe(false)
})
