// What an answer quotes: pressed it leads there; where the desk does not have it, it is only read.
import { afterEach, expect, test } from 'bun:test'
import type { QuotedMessage } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import pt from '../locales/pt.json'
import { view } from '../src/desk/view.ts'
import { Bubble } from '../src/message/Bubble.tsx'
import { makeMessage } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })

let root: Root | undefined
afterEach(() => {
  act(() => root?.unmount())
  document.body.replaceChildren()
})

function draw(more: Partial<QuotedMessage>): HTMLElement {
  const quotedMsg: QuotedMessage = {
    ...{ id: 7, body: 'Orçamento: R$ 1.250,00', fromMe: true, contact: { name: 'Dona Lúcia' }, isEdited: false },
    ...{ editedMsg: null, mediaUrl: null, thumbUrl: null, mediaType: 'chat', isDeleted: false },
    ...more,
  }
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(<Bubble message={makeMessage({ quotedMsg, body: 'ainda vale?' })} startsGroup isGroup={false} />)
  })
  return place
}

test('pressed it leads to the message', () => {
  const place = draw({})
  act(() => place.querySelector<HTMLElement>('button.m-quoted')?.click())
  expect(view.jumpTo?.messageId).toBe(7)
})

test('of one that the desk does not have its words are read, and nothing is there to press', () => {
  const place = draw({ id: null })
  expect(place.querySelector('.m-quoted')?.textContent).toContain('R$ 1.250,00')
  expect(place.querySelector('button.m-quoted')).toBeNull()
})

test('of a picture the small one is shown, unless it was taken back', () => {
  const thumbUrl = 'data:image/jpeg;base64,/9j/AAAA'
  const picture = { mediaType: 'image', body: '', thumbUrl } as const
  expect(draw(picture).querySelector('img')?.getAttribute('src')).toBe(thumbUrl)
  act(() => root?.unmount())
  expect(draw({ ...picture, isDeleted: true }).querySelector('img')).toBeNull()
})
