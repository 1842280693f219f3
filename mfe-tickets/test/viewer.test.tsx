// The picture that is looked at, whole.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { areLettersPaused } from '@balcao/ui/actions'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useSnapshot } from 'valtio'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/pt.json'
import '../src/conversation/texts.ts'
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

/** A picture of the minute `at`. */
const pictureAt = (at: number) =>
  makeMessage({
    id: 100 + at,
    seq: at,
    mediaType: 'image',
    mediaUrl: `/media/${at}.jpg`,
    createdAt: `2026-05-04T12:${String(at).padStart(2, '0')}:00.000Z`,
  })

/** The conversation holds what is given; the gallery has all, three in a page. */
async function openPicture(of: number, held: readonly Message[], all: readonly number[]) {
  const requests: string[] = []
  const server = startPageServer({
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (!pathname.includes('gallery'))
        return Response.json({
          messages: searchParams.has('around') ? held : [pictureAt(all.length)],
          hasMore: true,
          nextCursor: 'older',
          newerCursor: searchParams.has('around') ? 'newer' : null,
        })
      const from = Number(searchParams.get('cursor') ?? 0)
      requests.push(`${pathname} ${from}`)
      const newestFirst = all.toReversed().map(pictureAt)
      const next = from + 3 < newestFirst.length ? String(from + 3) : null
      return Response.json({
        messages: newestFirst.slice(from, from + 3),
        hasMore: next !== null,
        nextCursor: next,
        newerCursor: null,
      })
    },
  })
  await act(() => getConversation(1).load())
  await act(async () => void (await getConversation(1).reach(100 + of)))
  view.viewer = { messageId: 100 + of, ticketId: 1 }
  act(() =>
    root.render(
      <InDesk>
        <Open />
      </InDesk>,
    ),
  )
  await waitUntil(() => requests.length === 1, 'the gallery is asked')
  return { requests, stop: () => server.stop(true) }
}
const shown = () => document.querySelector('.g-viewer-stage img')?.getAttribute('src')
const head = () => document.querySelector('.g-viewer-head')?.textContent ?? ''
const press = (key: string) =>
  act(async () =>
    document.querySelector('.g-viewer')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
  )
async function goTo(key: string, at: number) {
  await press(key)
  await waitUntil(() => shown() === `/media/${at}.jpg`, `${at} is shown`)
}

test('goes on beyond what the conversation holds, one after the other, and says how many only when all are known', async () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8]
  const { requests, stop } = await openPicture(8, [pictureAt(8)], all)
  expect(head()).not.toContain(' de ')
  for (const at of [7, 6, 5, 4, 3]) await goTo('ArrowLeft', at)
  await goTo('ArrowLeft', 2)
  expect(requests).toEqual([0, 3, 6].map(from => `/messages/gallery/1 ${from}`))
  await waitUntil(() => head().includes('2 de 8'), 'all are known')
  await goTo('ArrowLeft', 1)
  // At the first one there is none before it.
  await press('ArrowLeft')
  expect([shown(), head().includes('1 de 8')]).toEqual(['/media/1.jpg', true])
  for (const at of [2, 3, 4, 5, 6, 7, 8]) await goTo('ArrowRight', at)
  expect(requests).toHaveLength(3)
  await stop()
})

test('of a stretch further back none between is left out, however far the newest are', async () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8]
  const { stop } = await openPicture(2, [pictureAt(2), pictureAt(3)], all)
  await goTo('ArrowRight', 3)
  await goTo('ArrowRight', 4)
  await goTo('ArrowRight', 5)
  await goTo('ArrowLeft', 4)
  for (const at of [3, 2, 1]) await goTo('ArrowLeft', at)
  await waitUntil(() => head().includes('1 de 8'), 'all are known')
  await stop()
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
