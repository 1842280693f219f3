// A message to a number, into its live conversation or a new one of one's own.
import { digitsOf, formatPhone, phoneVariants, wholeNumber } from '@balcao/contract/phone'
import en from '../../locales/send/en.json'
import es from '../../locales/send/es.json'
import pt from '../../locales/send/pt.json'
import { readPipe } from '../kit/ask.ts'
import { command } from '../kit/command.ts'
import type { Desk } from '../kit/desk.ts'
import { Failure } from '../kit/faults.ts'
import { pick } from '../kit/pick.ts'
import { sayIn } from '../kit/say.ts'

export const send = command({
  name: 'send',
  texts: { pt, en, es },
  args: { number: '<number>', text: '[text]' },
  options: { connection: '--connection <name>', queue: '--queue <queue>' },
  async run({ args, options, out, t, ask, desk, during }) {
    const number = wholeNumber(args.number)
    if (number === null || digitsOf(number).length < 8) throw new Failure('noPhone', { typed: args.number }, 2)
    const here = await desk()
    const text = args.text ?? (ask.isThere ? await ask.line(t('text')) : await readPipe())
    if (text.trim() === '') throw new Failure('nothingToSay', {}, 2)
    const ticket = await during(t('opening'), ticketWith(here, number, options))
    const message = await during(t('sending'), sayIn(here, ticket.id, text))
    out.answer({ ticket, message }, () => out.done(t('queued', { phone: formatPhone(number), id: ticket.id })))
  },
})

async function ticketWith(
  { api }: Desk,
  number: string,
  { connection, queue }: { readonly connection: string | undefined; readonly queue: string | undefined },
) {
  const whatsappId = connection === undefined ? undefined : pick(await api('GET /whatsapp'), connection).id
  const queueId = queue === undefined ? undefined : pick(await api('GET /queue'), queue).id
  const { contacts } = await api('GET /contacts', { query: { searchParam: number } })
  const known = contacts.find(each => each.numbers.some(one => phoneVariants(number).includes(one)))
  const contact = known ?? (await api('POST /contact', { body: { number, name: formatPhone(number) } }))
  const live = await api('GET /tickets/contact/:contactId', {
    params: { contactId: contact.id },
    query: { whatsappId },
  })
  return live ?? (await api('POST /tickets', { body: { contactId: contact.id, whatsappId, queueId } }))
}
