// A tab's live connection, and what it is told.
import type { Notice } from '@balcao/contract'
import type { SignedInPerson } from './desk-server.ts'
import { waitUntil } from './until.ts'

/** Opens one; it is there when this answers. */
export async function openNoticeLine(url: string, person: SignedInPerson) {
  const { body } = await person.call<{ token: string }>('POST', '/auth/socket')
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${body.token}`)
  const notices: Notice[] = []
  const events: string[] = []
  const { promise: welcomed, resolve } = Promise.withResolvers<void>()
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
  socket.onmessage = message => {
    const frame: Frame = JSON.parse(String(message.data))
    if (frame.type === 'welcome') resolve()
    events.push(...(frame.events ?? []).map(({ event }) => event))
    if (frame.volatile?.kind === 'notice') notices.push(frame.volatile.notice)
  }
  await welcomed
  return {
    notices,
    /** The names of the live events so far. */
    events,
    send: (frame: object) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
    async until(id: number, about: Notice['about'] = 'ticket'): Promise<Notice> {
      const found = () => notices.find(notice => notice.id === id && notice.about === about)
      await waitUntil(`one is told of ${about} ${id}`, () => found() !== undefined)
      const notice = found()
      if (!notice) throw new Error('gone')
      return notice
    },
  }
}

interface Frame {
  readonly type: string
  readonly events?: readonly { readonly event: string }[]
  readonly volatile?: { readonly kind: string; readonly notice: Notice }
}
