// The AI's help as the palette offers it.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { areLettersPaused, listPossibleActions } from '@balcao/ui/actions'
import { addTexts } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { createTicketComposerContext } from '../src/composer/composer-context.ts'
import { Editor } from '../src/composer/Editor.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt, en, es })

let root: Root
let stop: () => unknown

beforeEach(() => {
  const server = startPageServer({
    fetch: (_, { pathname }) =>
      pathname.endsWith('/ai')
        ? Response.json({ enabled: true })
        : Response.json({ error: 'ERR_NOT_FOUND' }, { status: 404 }),
  })
  stop = () => server.stop(true)
  endSession()
  session.user = makeUser('admin')
  session.settings = { aiAssist: true }
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  act(() => root.unmount())
  await stop()
  endSession()
})

test('no letter is a key until its panel stands there, and it is not offered while it does', async () => {
  const place = createTicketComposerContext(makeTicket({ id: 611 }))
  act(() =>
    root.render(
      <RemoteArea name="mfe_tickets">
        <Editor place={place} placeholder="Mensagem" />
      </RemoteArea>,
    ),
  )
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
