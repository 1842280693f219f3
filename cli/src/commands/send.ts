// A message to a number, into its live conversation or a new one of one's own.
import { formatPhone, listPhoneVariants } from '@balcao/contract/contacts/phone'
import { readNumber } from '@balcao/contract/contacts/read-number'
import en from '../../locales/send/en.json'
import es from '../../locales/send/es.json'
import pt from '../../locales/send/pt.json'
import { readPipe } from '../kit/ask.ts'
import { defineCommand } from '../kit/command.ts'
import type { Desk } from '../kit/desk.ts'
import { Failure } from '../kit/faults.ts'
import { pick } from '../kit/pick.ts'
import { sendMessage } from '../kit/say.ts'

export const send = defineCommand({
  name: 'send',
  texts: { pt, en, es },
  args: { number: '<number>', text: '[text]' },
  options: { connection: '--connection <name>', queue: '--queue <queue>' },
  async run({ args, options, out, t, ask, desk, during, ending }) {
    const reading = readNumber(args.number)
    if ('fault' in reading) throw new Failure('noPhone', { typed: args.number }, 2)
    const { number } = reading
    const here = await desk()
    const text = args.text ?? (ask.isThere ? await ask.line(t('text')) : await readPipe())
    if (text.trim() === '') throw new Failure('nothingToSay', {}, 2)
    const ticket = await during(t('opening'), openTicketWithNumber(here, number, options))
    // Stopped as it was opened: it stays, and no message goes.
    if (ending.signal.aborted) return out.warn(t('onlyOpened', { id: ticket.id }))
    const message = await during(t('sending'), sendMessage(here, ticket.id, text))
    out.answer({ ticket, message }, () => out.done(t('queued', { phone: formatPhone(number), id: ticket.id })))
  },
})

/**
 * The live conversation with a number, on the connection that was named or any; otherwise a new one of one's own. Nothing is made before it
 * is known in which queue.
 */
async function openTicketWithNumber(
  { api, user }: Desk,
  number: string,
  { connection, queue }: { readonly connection: string | undefined; readonly queue: string | undefined },
) {
  const lines = await api('GET /whatsapp')
  const named = connection === undefined ? undefined : pick(lines, connection)
  const { contacts } = await api('GET /contacts', { query: { searchParam: number, count: 'false' } })
  const known = contacts.find(each => each.numbers.some(one => listPhoneVariants(number).includes(one)))
  const query = { whatsappId: named?.id }
  const live = known && (await api('GET /tickets/contact/:contactId', { params: { contactId: known.id }, query }))
  if (live) return live
  const line = named ?? lines.find(each => each.isDefault) ?? lines[0]
  const own = user.queues.length === 1 ? user.queues[0] : undefined
  const place = queue === undefined ? own : pick(await api('GET /queue'), queue)
  if (!place) throw new Failure('whichQueue', { names: user.queues.map(({ name }) => name).join(', ') }, 2)
  const contact = known ?? (await api('POST /contact', { body: { number: `+${number}`, name: formatPhone(number) } }))
  return api('POST /tickets', { body: { contactId: contact.id, whatsappId: line?.id, queueId: place.id } })
}
