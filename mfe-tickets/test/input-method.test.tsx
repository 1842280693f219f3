// Names written with an input method: its Enter takes a candidate and its Escape drops one; neither is for the field.
import { expect, test } from 'bun:test'
import { TagRow } from '@balcao/ui/forms'
import { addTexts } from '@balcao/ui/i18n'
import { Dialog } from '@balcao/ui/parts'
import { act, type ReactNode } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import pt from '../locales/dialogs/pt.json'
import Emojis from '../src/composer/Emojis.tsx'
import { TransferTargetField } from '../src/dialogs/TransferTargetField.tsx'
import { ContactPicker } from '../src/new-ticket/ContactPicker.tsx'
import { NumberOffer } from '../src/new-ticket/NumberOffer.tsx'
import { makeUser } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })

const ignore = () => undefined
const draw = preparePage(
  (_, { pathname }) =>
    pathname.includes('/check/') ? Response.json({ exists: true, number: '5531988214407' }) : Response.json([]),
  { user: { ...makeUser('admin'), addContact: true }, remote: 'mfe_tickets' },
)

const picker = (
  <ContactPicker
    wish={{ number: 'ana' }}
    chosen={null}
    whatsappId={null}
    onChange={ignore}
    onEnter={ignore}
    onNone={ignore}
    onFound={ignore}
  />
)
const target = (
  <TransferTargetField
    targets={[]}
    isFailed={false}
    chosen={null}
    served={new Map()}
    error={null}
    onChange={ignore}
    onEarly={ignore}
  />
)
const offer = (
  <NumberOffer
    number="5531988214407"
    name="Ana"
    whatsappId={null}
    onContact={ignore}
    onStart={ignore}
    onNone={ignore}
    ref={null}
  />
)

test.each([
  ['whom to write to', picker, ''],
  ['the name of a number', offer, pt.newTicket.check],
  ['whom to transfer to', target, ''],
  ['an emoji', <Emojis key="emojis" anchor={{ current: null }} onChoose={ignore} onClose={ignore} />, ''],
  ['a tag', <TagRow key="tags" contactId={7} tags={[]} onSaved={ignore} />, 'Adicionar tag'],
])('Enter of an input method is not Enter in the field for %s', async (_, content, button) => {
  const field = await show(content, button)
  expect([press(field, 'Enter', true), pressLast(field, 'Enter'), press(field, 'Enter', false)]).toEqual([
    false,
    false,
    true,
  ])
})

test('Escape of an input method neither empties a search nor closes a dialog', async () => {
  let closed = 0
  const field = await show(
    <Dialog title="Novo" onClose={() => closed++}>
      {picker}
    </Dialog>,
    '',
  )
  press(field, 'Escape', true)
  pressLast(field, 'Escape')
  expect([field.value, closed]).toEqual(['ana', 0])
  press(field, 'Escape', false)
  expect([field.value, closed]).toEqual(['', 0])
  press(field, 'Escape', true)
  expect(closed).toBe(0)
  press(field, 'Escape', false)
  expect(closed).toBe(1)
})

/** Its field, for some behind a button. */
async function show(content: ReactNode, button: string): Promise<HTMLInputElement> {
  await draw(content)
  if (button !== '') {
    const buttons = [...document.querySelectorAll('button')]
    act(() => buttons.find(one => `${one.getAttribute('aria-label')} ${one.textContent}`.includes(button))?.click())
  }
  await waitUntil(() => document.querySelector('input') !== null, 'the field')
  const field = document.querySelector('input')
  if (!field) throw new Error('no field')
  return field
}

/** Whether the page took it for itself. */
function press(field: HTMLElement, key: string, isComposing: boolean): boolean {
  return dispatch(field, new KeyboardEvent('keydown', { key, isComposing, bubbles: true, cancelable: true }))
}

/** As Safari sends the key that ended a composition: after it. */
function pressLast(field: HTMLElement, key: string): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  return dispatch(field, Object.defineProperty(event, 'keyCode', { value: 229 }))
}

function dispatch(field: HTMLElement, event: KeyboardEvent): boolean {
  act(() => void field.dispatchEvent(event))
  return event.defaultPrevented
}
