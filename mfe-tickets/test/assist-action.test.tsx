// The AI's help as the palette offers it.
import { beforeEach, expect, test } from 'bun:test'
import { areLettersPaused, listPossibleActions } from '@balcao/ui/actions'
import { addTexts } from '@balcao/ui/i18n'
import { session } from '@balcao/ui/session'
import { act } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { createTicketComposerContext } from '../src/composer/composer-context.ts'
import { Editor } from '../src/composer/Editor.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt, en, es })

const show = preparePage(
  (_, { pathname }) =>
    pathname.endsWith('/ai')
      ? Response.json({ enabled: true })
      : Response.json({ error: 'ERR_NOT_FOUND' }, { status: 404 }),
  { user: makeUser('admin'), remote: 'mfe_tickets' },
)
beforeEach(() => {
  session.settings = { aiAssist: true }
})

test('no letter is a key until its panel stands there, and it is not offered while it does', async () => {
  const place = createTicketComposerContext(makeTicket({ id: 611 }))
  await show(<Editor place={place} placeholder="Mensagem" />)
  // Not awaited: its code is on its way.
  act(() => void find()?.perform())
  expect(areLettersPaused()).toBe(true)
  expect(find()).toBeUndefined()
  await waitUntil(() => document.querySelector('.k-assist') !== null, 'the panel')
  expect(areLettersPaused()).toBe(false)
})

function find() {
  return listPossibleActions().find(({ id }) => id === 'ticket.assist')
}
