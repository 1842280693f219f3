// The picture that is looked at, whole.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ChatMessage, Message } from '@balcao/contract'
import { areLettersPaused } from '@balcao/ui/actions'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useSnapshot } from 'valtio'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/pt.json'
import '../src/conversation/texts.ts'
import { getChatStores } from '../src/chats/chat-stores.ts'
import { toChatLane } from '../src/chats/lane.ts'
import { getConversation, takeMessage } from '../src/conversation/conversation-store.ts'
import { view } from '../src/desk/view.ts'
import Viewer from '../src/message/Viewer.tsx'
import { InDesk } from './in-desk.tsx'
import { makeMessage, makeUser } from './make.ts'
import { makeChatMessage } from './make-chats.ts'

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

const makePicture = (minute: number) =>
  makeMessage({
    id: 100 + minute,
    seq: minute,
    mediaType: 'image',
    mediaUrl: `/media/${minute}.jpg`,
    createdAt: `2026-05-04T12:${String(minute).padStart(2, '0')}:00.000Z`,
  })

/** The conversation holds what is given; the gallery has all, three in a page. */
async function openPicture(of: number, held: readonly Message[], all: readonly number[]) {
  const requests: string[] = []
  const server = startPageServer({
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (!pathname.includes('gallery'))
        return Response.json({
          messages: searchParams.has('around') ? held : [makePicture(all.length)],
          hasMore: true,
          nextCursor: 'older',
          newerCursor: searchParams.has('around') ? 'newer' : null,
        })
      const from = Number(searchParams.get('cursor') ?? 0)
      requests.push(`${pathname} ${from}`)
      const newestFirst = all.toReversed().map(makePicture)
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
  const { requests, stop } = await openPicture(8, [makePicture(8)], all)
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
  const { stop } = await openPicture(2, [makePicture(2), makePicture(3)], all)
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

test('in an internal chat one goes on the other way while older messages without a picture are fetched', async () => {
  const pages: { readonly cursor: string; readonly answer: PromiseWithResolvers<Response> }[] = []
  const makeRow = (seq: number, isImage: boolean) =>
    makeChatMessage(seq, { chatId: 5, ...(isImage && { mediaType: 'image', mediaUrl: `/media/${seq}.jpg` }) })
  const toPage = (messages: readonly ChatMessage[], nextCursor: string) =>
    Response.json({ messages, hasMore: true, nextCursor, newerCursor: null })
  const server = startPageServer({
    async fetch(request, { pathname }) {
      if (!pathname.endsWith('/messages/get')) return Response.json({ users: [] })
      const { cursor }: { cursor?: string } = await request.json()
      if (cursor === undefined) return toPage([makeRow(50, true), makeRow(51, true)], 'a')
      const answer = Promise.withResolvers<Response>()
      pages.push({ cursor, answer })
      return answer.promise
    },
  })
  await act(() => getChatStores().conversation(5).load())
  view.viewer = { messageId: 50, ticketId: toChatLane(5) }
  act(() =>
    root.render(
      <InDesk>
        <Open />
      </InDesk>,
    ),
  )
  const isSpinning = (side: string) => document.querySelector(`.g-viewer-step.is-${side} .b-spinner`) !== null
  await press('ArrowLeft')
  await waitUntil(() => pages.length === 1, 'older ones are asked for')
  expect([isSpinning('left'), isSpinning('right')]).toEqual([true, false])
  await act(async () => pages[0]?.answer.resolve(toPage([makeRow(40, false)], 'b')))
  await waitUntil(() => pages.length === 2, 'there was no picture among them')
  await goTo('ArrowRight', 51)
  expect(isSpinning('left')).toBe(false)
  await act(async () => pages[1]?.answer.resolve(toPage([makeRow(30, false)], 'c')))
  await waitUntil(() => getChatStores().conversation(5).view().loadingOlder === false, 'what was asked for came')
  expect([shown(), pages.map(({ cursor }) => cursor)]).toEqual(['/media/51.jpg', ['a', 'b']])
  await server.stop(true)
})

test('a finger that was down on the picture before does not zoom this one', async () => {
  const { stop } = await openPicture(8, [makePicture(7), makePicture(8)], [7, 8])
  const stage = () => document.querySelector('.g-viewer-stage')
  const picture = () => document.querySelector('.g-viewer-stage img')
  const touch = (target: Element | null, type: string, pointerId: number, clientX: number) =>
    act(async () => {
      const place = { pointerId, clientX, clientY: 200, pointerType: 'touch' }
      target?.dispatchEvent(new PointerEvent(type, { bubbles: true, ...place }))
    })
  await touch(picture(), 'pointerdown', 1, 100)
  await goTo('ArrowLeft', 7)
  await touch(stage(), 'pointerup', 1, 100)
  await touch(picture(), 'pointerdown', 2, 150)
  await touch(picture(), 'pointermove', 2, 300)
  expect(picture()?.getAttribute('style')).toContain('scale(1)')
  await stop()
})
