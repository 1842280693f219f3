// The picture that is looked at, whole.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { areLettersPaused } from '@balcao/ui/actions'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useSnapshot } from 'valtio'
import pt from '../locales/pt.json'
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
