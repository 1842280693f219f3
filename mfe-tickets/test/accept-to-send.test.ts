// Who writes in a conversation that waits without a queue is asked for one only where it can be several.
import { afterEach, expect, test } from 'bun:test'
import { endSession, session } from '@balcao/ui/session'
import { startPageServer } from '../../ui/test/page.ts'
import { acceptToSend } from '../src/composer/accept-to-send.ts'
import { loadLookups } from '../src/desk/lookups.ts'
import { view } from '../src/desk/view.ts'
import { makeTicket, makeUser } from './make.ts'

let stop: () => unknown = () => undefined
afterEach(async () => {
  await stop()
  endSession()
})

test.each([
  ['the only queue of the person', [1], [], 1],
  ['the one of theirs that the connection has', [1, 2, 3], [2], 2],
  ['the one of several of the connection that is theirs', [1, 3], [2, 3], 3],
  ['none, and it is asked for, where both have several', [1, 2, 3], [1, 2], null],
  ['none, and it is asked for, where the connection has none', [1, 2], [], null],
] as const)('it takes %s', async (_, own, ofConnection, chosen) => {
  const bodies: unknown[] = []
  const page = startPageServer({
    async fetch(request, { pathname }) {
      if (pathname.endsWith('/queue')) return Response.json([1, 2, 3].map(id => ({ id, name: `Fila ${id}` })))
      if (pathname.endsWith('/whatsapp')) return Response.json([{ id: 4, name: 'Loja', queueIds: ofConnection }])
      if (request.method !== 'PUT') return Response.json([])
      bodies.push(await request.json())
      return Response.json(makeTicket({ id: 9, status: 'open' }))
    },
  })
  stop = () => page.stop(true)
  endSession()
  session.user = makeUser('user')
  await loadLookups()
  const ticket = makeTicket({ id: 9, status: 'pending', queueId: null, queue: null, userId: null, whatsappId: 4 })
  const sending = acceptToSend({
    ticket,
    viewer: { id: 7, profile: 'user', queueIds: own },
    queues: [],
    offers: { scheduler: false, integration: false },
    open: () => undefined,
    goTo: () => undefined,
  })
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
