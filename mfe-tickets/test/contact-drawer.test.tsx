// What the contact's drawer says of the conversation besides its own facts.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { endSession, session } from '@balcao/ui/session'
import type { ServerWebSocket } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { ContactDrawer } from '../src/contact/ContactDrawer.tsx'
import '../src/contact/late.ts'
import { useGallery } from '../src/contact/use-gallery.ts'
import { InDesk } from './in-desk.tsx'
import { makeMessage, makeTicket, makeUser } from './make.ts'

let root: Root | undefined
let stop: () => unknown = () => undefined
afterEach(async () => {
  act(() => root?.unmount())
  document.body.replaceChildren()
  await stop()
  endSession()
})

test.each([
  [7 * 86_400, 'Mensagens temporáriasSomem depois de 7 dias'],
  [86_400, 'Mensagens temporáriasSomem depois de 24 horas'],
  [null, null],
] as const)('a chat whose messages disappear after %p seconds says so', async (disappearsAfter, words) => {
  const server = startPageServer({
    fetch: (_, { pathname }) =>
      pathname.endsWith('/context')
        ? Response.json({ origin: { kind: 'story', title: '' }, disappearsAfter })
        : Response.json({ error: 'ERR_NO_CONTACT_FOUND', message: '' }, { status: 404 }),
  })
  stop = () => server.stop(true)
  session.user = makeUser('admin')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root?.render(
      <InDesk>
        <ContactDrawer ticket={makeTicket()} isGalleryFirst={false} open={() => {}} onClose={() => {}} />
      </InDesk>,
    ),
  )
  await waitUntil(() => document.body.textContent?.includes('Respondeu ao status') === true, 'it is known')
  if (words) expect(document.body.textContent).toContain(words)
  else expect(document.body.textContent).not.toContain('temporárias')
})

let gallery: ReturnType<typeof useGallery>
function Probe() {
  gallery = useGallery(1, 1, 'media')
  return null
}

describe('the files of a conversation, read two pages back', () => {
  const PAGE = 2
  let stored: Message[]
  let cursors: (string | null)[]
  let line: ServerWebSocket<undefined> | undefined
  let cursor = 1

  const makeFile = (id: number) => makeMessage({ id, mediaUrl: `/media/${id}`, mediaType: 'image' })
  const listShown = () => gallery.items?.map(({ id }) => id)
  function tell(message: Message, action: 'create' | 'update') {
    cursor += 1
    const event = { event: 'appMessage', action, version: message.version, message }
    line?.send(JSON.stringify({ type: 'events', events: [event], cursor: String(cursor) }))
  }

  beforeEach(async () => {
    stored = [6, 5, 4, 3, 2, 1].map(makeFile)
    cursors = []
    const server = startPageServer({
      fetch: (_, { pathname, searchParams }) => {
        if (!pathname.endsWith('/gallery/1')) return Response.json({ token: 'one' })
        const after = searchParams.get('cursor')
        cursors.push(after)
        const older = stored.filter(({ id }) => after === null || id < Number(after))
        const messages = older.slice(0, PAGE)
        return Response.json({ messages, nextCursor: older.length > PAGE ? String(messages.at(-1)?.id) : null })
      },
      websocket: {
        message(socket) {
          line ??= socket
          socket.send(JSON.stringify({ type: 'welcome', cursor: '1' }))
        },
      },
    })
    stop = () => {
      live.stop()
      line = undefined
      return server.stop(true)
    }
    live.start()
    await waitUntil(() => line !== undefined && session.connection.state === 'live', 'the line stands')
    root = createRoot(document.createElement('div'))
    act(() => root?.render(<Probe />))
    await waitUntil(() => listShown()?.length === 2, 'the first page')
    act(() => gallery.more())
    await waitUntil(() => listShown()?.length === 4, 'the second page')
  })

  test('stay where they are when something comes, and go on where they went on', async () => {
    stored = [makeFile(7), ...stored]
    tell(makeFile(7), 'create')
    await waitUntil(() => listShown()?.[0] === 7, 'the new one')
    expect(listShown()).toEqual([7, 6, 5, 4, 3])
    act(() => gallery.more())
    await waitUntil(() => !gallery.hasMore, 'the last page')
    expect(listShown()).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  test('lose what is taken back, wherever it stands', async () => {
    stored = stored.filter(({ id }) => id !== 3)
    tell({ ...makeFile(3), isDeleted: true, mediaUrl: null, body: '' }, 'update')
    await waitUntil(() => listShown()?.includes(3) === false, 'it goes')
    expect(listShown()).toEqual([6, 5, 4])
  })

  test('are not asked for again because one was delivered or read', async () => {
    const before = gallery.items
    tell({ ...makeFile(6), state: 'read', version: 2 }, 'update')
    stored = [makeFile(7), ...stored]
    tell(makeFile(7), 'create')
    await waitUntil(() => listShown()?.[0] === 7, 'the new one')
    expect(cursors).toEqual([null, '5', null])
    expect(gallery.items?.slice(3)).toEqual(before?.slice(2) ?? [])
  })

  test('begin anew where more came than a page holds', async () => {
    stored = [9, 8, 7, 6, 5, 4, 3, 2, 1].map(makeFile)
    tell(makeFile(9), 'create')
    await waitUntil(() => listShown()?.[0] === 9, 'the new ones')
    expect(listShown()).toEqual([9, 8])
    act(() => gallery.more())
    await waitUntil(() => listShown()?.length === 4, 'the next page')
    expect(listShown()).toEqual([9, 8, 7, 6])
  })
})
