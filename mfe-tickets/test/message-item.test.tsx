// A message in its row, as changes of it come.
import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import type { MediaInfo, Message } from '@balcao/contract'
import { addTexts, setTimezone, toCompanyDay } from '@balcao/ui/i18n'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import pt from '../locales/conversation/pt.json'
import desk from '../locales/pt.json'
import { toMessageRows } from '../src/conversation/rows.ts'
import { MessageItem } from '../src/message/MessageItem.tsx'
import { Safe } from '../src/message/Safe.tsx'
import { InDesk } from './in-desk.tsx'
import { makeMessage } from './make.ts'

addTexts('tickets', { pt: desk, en: desk, es: desk })
setTimezone('America/Sao_Paulo')

const MEDIA: MediaInfo = {
  state: 'ready',
  name: '',
  mime: '',
  size: null,
  seconds: null,
  width: null,
  height: null,
  voice: false,
  waveform: null,
  thumbUrl: null,
  error: null,
}

let root: Root | undefined
afterEach(() => {
  act(() => root?.unmount())
  root = undefined
  document.body.replaceChildren()
  setSystemTime()
})

/** Its row, drawn again for each change. */
function show(first: Message) {
  const place = document.body.appendChild(document.createElement('ol'))
  root = createRoot(place)
  const turn = (message: Message) =>
    act(() =>
      root?.render(
        <InDesk>
          {toMessageRows([message], undefined, toCompanyDay, null).map(row => (
            <MessageItem
              key={row.key}
              row={row}
              isGroup={false}
              blinking={false}
              reachable
              arriving={false}
              marked={false}
              onDay={undefined}
              onForward={undefined}
              onMenu={ignore}
              entry={undefined}
            />
          ))}
        </InDesk>,
      ),
    )
  turn(first)
  return { place, turn }
}

function ignore() {}

/** The clock of the page goes on; it is also set anew by another time zone. */
function passMinute() {
  setTimezone('America/Recife')
  setTimezone('America/Sao_Paulo')
}

describe('a change of a message', () => {
  const voice = makeMessage({
    id: 7,
    mediaType: 'audio',
    mediaUrl: '/media/7.ogg',
    media: { ...MEDIA, seconds: 120 },
    version: 1,
  })

  test('leaves a recording alone that is listened to', () => {
    const { place, turn } = show(voice)
    const playing = place.querySelector('audio')
    expect(playing === null).toBe(false)
    turn({ ...voice, version: 2, transcriptionState: 'pending' })
    expect(place.querySelector('audio') === playing).toBe(true)
    expect(place.textContent).toContain(pt.msg.transcriptionPending)
  })

  test('is another recording when its file is another', () => {
    const { place, turn } = show({ ...voice, mediaUrl: 'blob:7' })
    const before = place.querySelector('audio')
    turn({ ...voice, version: 2 })
    expect(place.querySelector('audio') === before).toBe(false)
  })

  test('tells how long a recording is, once that is known', () => {
    const { place, turn } = show({ ...voice, media: { ...MEDIA, seconds: null } })
    expect(place.querySelector('.m-sound-length')?.textContent).toBe('0:00')
    turn({ ...voice, version: 2 })
    expect(place.querySelector('.m-sound-length')?.textContent).toBe('2:00')
  })

  test('shows a picture whose small copy came after its file could not be shown', () => {
    const picture = makeMessage({ id: 8, mediaType: 'image', mediaUrl: '/media/8.heic', media: MEDIA, version: 1 })
    const { place, turn } = show(picture)
    act(() => void place.querySelector('img')?.dispatchEvent(new Event('error')))
    expect(place.querySelector('img') === null).toBe(true)
    turn({ ...picture, version: 2, media: { ...MEDIA, thumbUrl: '/media/8.webp' } })
    expect(place.querySelector('img')?.getAttribute('src')).toBe('/media/8.webp')
  })

  test('closes who reacted with the last reaction, and opens it by no other one', () => {
    const thanks = { emoji: '👍', by: 'Ana', person: 'ana', fromMe: false }
    const message = makeMessage({ id: 9, body: 'Oi', reactions: [thanks], version: 1 })
    const { place, turn } = show(message)
    act(() => place.querySelector<HTMLElement>('.m-reactions')?.click())
    expect(document.querySelector('[role=dialog]') === null).toBe(false)
    turn({ ...message, reactions: [], version: 2 })
    turn({ ...message, reactions: [thanks], version: 3 })
    expect(place.querySelector('.m-reactions') === null).toBe(false)
    expect(document.querySelector('[role=dialog]') === null).toBe(true)
  })
})

test('over midnight its day is no more called today', () => {
  setSystemTime(new Date('2026-11-20T18:00:00.000Z'))
  // The page's one clock may run already, for what other files left on it.
  passMinute()
  const { place } = show(makeMessage({ createdAt: '2026-11-20T17:00:00.000Z' }))
  const name = () => place.querySelector('.m-day')?.textContent
  expect(name()).toBe(desk.today)
  setSystemTime(new Date('2026-11-21T12:00:00.000Z'))
  act(passMinute)
  expect(name()).toBe(desk.yesterday)
})

describe('a message that cannot be drawn', () => {
  const draw = (version: number, content: ReactNode) => {
    root ??= createRoot(document.body.appendChild(document.createElement('div')))
    act(() =>
      root?.render(
        <Safe version={version} fallback="não dá">
          {content}
        </Safe>,
      ),
    )
    return document.body.textContent
  }

  test('does not take the conversation with it, and gets another chance with its next version only', () => {
    expect(draw(1, <Broken />)).toBe('não dá')
    expect(draw(1, 'Oi')).toBe('não dá')
    expect(draw(2, <Broken />)).toBe('não dá')
    expect(draw(3, 'Oi')).toBe('Oi')
  })
})

function Broken(): ReactNode {
  throw new Error('broken')
}
