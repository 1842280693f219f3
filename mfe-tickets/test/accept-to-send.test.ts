// Who accepts a conversation without a queue, by a press, by writing in it or with others, is asked for one only where it can be several.
import { afterEach, expect, test } from 'bun:test'
import { endSession, session } from '@balcao/ui/session'
import { startPageServer } from '../../ui/test/page.ts'
import { accept } from '../src/actions/accept.ts'
import type { TicketContext } from '../src/actions/ticket-action.ts'
import { acceptToSend } from '../src/composer/accept-to-send.ts'
import { loadLookups } from '../src/desk/lookups.ts'
import { view } from '../src/desk/view.ts'
import { makeTicket, makeUser } from './make.ts'

let stop: () => unknown = () => undefined
afterEach(async () => {
  await stop()
  endSession()
})

const CASES = [
  ['the only queue of the person', [1], [], 1],
  ['the one of theirs that the connection has', [1, 2, 3], [2], 2],
  ['the one of several of the connection that is theirs', [1, 3], [2, 3], 3],
  ['none, and it is asked for, where both have several', [1, 2, 3], [1, 2], null],
  ['none, and it is asked for, where the connection has none', [1, 2], [], null],
] as const

test.each(CASES)('by writing in it, it takes %s', async (_, own, ofConnection, chosen) => {
  const { bodies, context } = await openWaiting(own, ofConnection)
  const sending = acceptToSend(context)
  if (chosen !== null) {
    expect(await sending).toBe(true)
    expect(bodies).toEqual([{ status: 'open', userId: 7, queueId: chosen }])
    return
  }
  while (view.dialog === null) await Bun.sleep(5)
  expect([view.dialog, bodies]).toEqual([{ kind: 'accept', ticketId: 9 }, []])
  view.dialog = null
  expect(await sending).toBe(false)
})

test.each(CASES)('by a press, it takes %s', async (_, own, ofConnection, chosen) => {
  const { bodies, context } = await openWaiting(own, ofConnection)
  await accept.perform(context)
  expect([view.dialog, bodies]).toEqual(
    chosen === null ? [{ kind: 'accept', ticketId: 9 }, []] : [null, [{ status: 'open', userId: 7, queueId: chosen }]],
  )
  view.dialog = null
})

test.each(CASES)('with others, it takes %s', async (_, own, ofConnection, chosen) => {
  const { bodies, context } = await openWaiting(own, ofConnection)
  expect(await accept.many?.ask?.([context])).toBe(chosen === null ? 'accept' : null)
  // What was chosen for the others is for those alone that can be meant for several.
  await accept.many?.one(context, { queueId: 3 })
  expect(bodies).toEqual([{ status: 'open', userId: 7, queueId: chosen ?? 3 }])
})

test.each([
  ['the only queue of the company', 1, [], 1],
  ['none, and it is asked for, where the company has several', 3, [], null],
  ['the only one of the connection', 3, [2], 2],
] as const)('an administrator without queues takes %s', async (_, queues, ofConnection, chosen) => {
  const { bodies, context } = await openWaiting([], ofConnection, 'admin', queues)
  await accept.perform(context)
  expect([view.dialog === null, bodies]).toEqual(
    chosen === null ? [false, []] : [true, [{ status: 'open', userId: 7, queueId: chosen }]],
  )
  view.dialog = null
})

/** A conversation that waits without a queue, before a person of these queues. */
async function openWaiting(
  own: readonly number[],
  ofConnection: readonly number[],
  profile: 'admin' | 'user' = 'user',
  queues = 3,
) {
  const bodies: unknown[] = []
  const page = startPageServer({
    async fetch(request, { pathname }) {
      if (pathname.endsWith('/queue'))
        return Response.json([1, 2, 3].slice(0, queues).map(id => ({ id, name: `Fila ${id}` })))
      if (pathname.endsWith('/whatsapp')) return Response.json([{ id: 4, name: 'Loja', queueIds: ofConnection }])
      if (request.method !== 'PUT') return Response.json([])
      bodies.push(await request.json())
      return Response.json(makeTicket({ id: 9, status: 'open' }))
    },
  })
  stop = () => page.stop(true)
  endSession()
  session.user = makeUser(profile)
  await loadLookups()
  const context: TicketContext = {
    ticket: makeTicket({ id: 9, status: 'pending', queueId: null, queue: null, userId: null, whatsappId: 4 }),
    viewer: { id: 7, profile, queueIds: own },
    queues: [],
    offers: { scheduler: false, integration: false },
    open: () => undefined,
    goTo: () => undefined,
  }
  return { bodies, context }
}
