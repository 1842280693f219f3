// The mark in the header of a conversation whose messages disappear.
import { expect, test } from 'bun:test'
import type { Ticket } from '@balcao/contract'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import { ChatTimer } from '../src/contact/ChatTimer.tsx'
import { makeTicket, makeUser } from './make.ts'

let disappearsAfter: number | null = 86_400
let requests = 0
const draw = preparePage(
  () => {
    requests++
    return Response.json({ origin: null, disappearsAfter })
  },
  { user: makeUser('admin'), remote: 'mfe_tickets' },
)

test('the mark in the header follows what the customer sets: their next message asks again, one of ours does not', async () => {
  const show = (part: Partial<Ticket>) => draw(<ChatTimer ticket={makeTicket(part)} />)
  const readText = () => document.body.textContent
  await show({ id: 1, lastMessageAt: '2026-11-30T12:00:00.000Z' })
  await waitUntil(() => readText() === 'Mensagens temporárias: Somem depois de 24 horas', 'it is said')
  disappearsAfter = 7 * 86_400
  await show({ id: 1, lastMessageAt: '2026-11-30T12:01:00.000Z', lastMessageFromMe: true })
  expect([requests, readText()]).toEqual([1, 'Mensagens temporárias: Somem depois de 24 horas'])
  await show({ id: 1, lastMessageAt: '2026-11-30T12:02:00.000Z' })
  await waitUntil(() => readText() === 'Mensagens temporárias: Somem depois de 7 dias', 'the new one is said')
  disappearsAfter = null
  await show({ id: 2 })
  expect(readText()).toBe('')
  await waitUntil(() => requests === 3, 'the other conversation is asked for')
  // The official API knows of none.
  await show({ id: 3, whatsapp: { ...makeTicket({}).whatsapp, api: 'cloud_api' } })
  disappearsAfter = 86_400
  await show({ id: 2, lastMessageAt: '2026-11-30T12:09:00.000Z' })
  await waitUntil(() => readText() === 'Mensagens temporárias: Somem depois de 24 horas', 'it is said there')
  expect(requests).toBe(4)
})
