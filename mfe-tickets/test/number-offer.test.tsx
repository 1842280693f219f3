// A number that nobody has yet, offered where a conversation is begun.
import { beforeEach, expect, test } from 'bun:test'
import type { Contact } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { act, createRef } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import pt from '../locales/dialogs/pt.json'
import { ContactPicker } from '../src/new-ticket/ContactPicker.tsx'
import { NumberOffer, type NumberOfferHandle } from '../src/new-ticket/NumberOffer.tsx'
import { makeUser } from './make.ts'

addTexts('tickets', { pt, en: {}, es: {} })

const NUMBER = '5531988887777'

const requests: { clientId?: string }[] = []
const made: Contact[] = []
const started: Contact[] = []
const offer = createRef<NumberOfferHandle>()
let known = true

const show = preparePage(
  async (request, url) => {
    if (request.method === 'GET' && url.pathname.endsWith('/contacts')) return Response.json({ contacts: [] })
    if (url.pathname.includes('/contacts/check/'))
      return known
        ? Response.json({ exists: true, number: NUMBER })
        : Response.json({ error: 'ERR_VALIDATION' }, { status: 422 })
    requests.push(await request.json())
    // The first answer is lost on its way.
    if (requests.length === 1) return Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })
    return Response.json({ id: 7, name: 'Padaria' }, { status: 201 })
  },
  { user: { ...makeUser('admin'), addContact: true } },
)
beforeEach(async () => {
  requests.length = 0
  known = true
  made.length = 0
  started.length = 0
  await show(
    <NumberOffer
      number={NUMBER}
      name="Padaria"
      whatsappId={null}
      onContact={contact => made.push(contact)}
      onStart={contact => started.push(contact)}
      onNone={() => undefined}
      ref={offer}
    />,
  )
})

test('spec 3 §5: asked for again because no answer came, it is asked for as the same contact', async () => {
  press(pt.newTicket.check)
  await waitUntil(() => document.querySelector('input') !== null, 'it is offered')
  press(pt.newTicket.add)
  await waitUntil(() => requests.length === 1 && !isBusy(), 'the answer is lost')
  press(pt.newTicket.add)
  await waitUntil(() => made.length === 1, 'it is there')
  expect(requests[0]?.clientId).toBeTruthy()
  expect(requests[1]?.clientId).toBe(requests[0]?.clientId ?? '')
})

test('Enter checks the number and begins the conversation: a name comes once they write', async () => {
  requests.push({})
  act(() => offer.current?.check())
  await waitUntil(() => started.length === 1, 'it begins')
  expect(made).toEqual([])
  expect(document.querySelector('input')).toBeNull()
})

test('what is no whole number says so where it was typed', async () => {
  known = false
  press(pt.newTicket.check)
  await waitUntil(() => document.body.textContent?.includes(pt.newTicket.noNumber) === true, 'it is said')
  expect(document.querySelector('input')).toBeNull()
})

test.each([
  ['from WhatsApp, with signs nobody sees', '\u202a+55 31 98888\u20117777\u202c'],
  ['with a dash', '(31) 98888–7777'],
  ['with a stroke', '31/98888-7777'],
  ['as a link', 'https://wa.me/5531988887777'],
  ['as a link to call', 'tel:+5531988887777'],
  ['with what it is', 'Cel: (31) 98888-7777'],
])('a number pasted %s is offered to be checked', async (_, pasted) => {
  await show(
    <ContactPicker
      wish={{ number: pasted }}
      chosen={null}
      whatsappId={null}
      onChange={ignore}
      onEnter={ignore}
      onNone={ignore}
      onFound={ignore}
    />,
  )
  const isSaid = (text: string) => document.body.textContent?.includes(text) === true
  await waitUntil(() => isSaid(pt.newTicket.check) || isSaid(pt.newTicket.none), 'nobody was found')
  expect(isSaid(pt.newTicket.check)).toBe(true)
})

const ignore = () => undefined

function button(words: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find(one => one.textContent?.includes(words))
  if (!found) throw new Error(`No button says ${words}`)
  return found
}

function isBusy(): boolean {
  return button(pt.newTicket.add).getAttribute('aria-busy') === 'true'
}

function press(words: string): void {
  act(() => button(words).click())
}
