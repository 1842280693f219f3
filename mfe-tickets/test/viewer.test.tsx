// The picture that is looked at, whole.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { areLettersPaused } from '@balcao/ui/actions'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useSnapshot } from 'valtio'
import { startPageServer } from '../../ui/test/page.ts'
import pt from '../locales/pt.json'
import { getConversation, takeMessage } from '../src/conversation/conversation-store.ts'
import { view } from '../src/desk/view.ts'
import Viewer from '../src/message/Viewer.tsx'
import { InDesk } from './in-desk.tsx'
import { makeMessage, makeUser } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })

let root: Root
beforeEach(() => {
  endSession()
  session.user = makeUser('admin')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
})

function Open() {
  const { viewer } = useSnapshot(view)
  return viewer && <Viewer messageId={viewer.messageId} lane={viewer.ticketId} />
}

test('goes with the picture: the keys are those of the desk again', async () => {
  const before = areLettersPaused()
  const picture = makeMessage({ id: 8, mediaType: 'image', mediaUrl: '/media/8.jpg' })
  const show = (among: readonly Message[]) =>
    act(async () => {
      view.viewer = { messageId: 8, ticketId: 1, among }
    })
  act(() =>
    root.render(
      <InDesk>
        <Open />
      </InDesk>,
    ),
  )
  await show([picture])
  expect([document.querySelector('[role=dialog]') === null, areLettersPaused()]).toEqual([false, true])
  // Deleted for everyone: it is none of the pictures of the conversation any more.
  await show([])
  expect([document.querySelector('[role=dialog]'), areLettersPaused(), view.viewer]).toEqual([null, before, null])
})

test('goes with a picture that is deleted while another message is the last one', async () => {
  const picture = makeMessage({ id: 8, mediaType: 'image', mediaUrl: '/media/8.jpg' })
  const server = startPageServer({
    fetch: () =>
      Response.json({
        messages: [picture, makeMessage({ id: 9 })],
        hasMore: false,
        nextCursor: null,
        newerCursor: null,
      }),
  })
  await act(() => getConversation(picture.ticketId).load())
  view.viewer = { messageId: 8, ticketId: picture.ticketId }
  act(() =>
    root.render(
      <InDesk>
        <Open />
      </InDesk>,
    ),
  )
  expect(document.querySelector('[role=dialog]')).not.toBeNull()
  await act(async () => takeMessage({ ...picture, isDeleted: true, version: picture.version + 1 }))
  expect(document.querySelector('[role=dialog]')).toBeNull()
  await server.stop(true)
})
