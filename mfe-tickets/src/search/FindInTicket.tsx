import type { Message, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { splitSignature } from '../composer/wording.ts'
import { FindDialog } from './FindDialog.tsx'

interface FindInTicketProps {
  readonly ticket: Ticket
  readonly day: string | undefined
}

/** Finding messages in the conversation of a ticket, or going to a day of it. */
export default function FindInTicket({ ticket, day }: FindInTicketProps) {
  const t = useTexts('tickets')
  async function find(text: string, signal: AbortSignal) {
    const request = { params: { ticketId: ticket.id }, query: { messageToSearch: text }, signal }
    const { messages } = await api('GET /messages/search/:ticketId', request)
    return messages.map(message => ({
      id: message.id,
      name: message.fromMe ? (message.user?.name ?? t('you')) : message.contact.name || t('noName'),
      text: getSearchableText(message) || t(`media.${message.mediaType}`),
      at: message.createdAt,
    }))
  }
  async function findDay(at: string) {
    return (await api('GET /messages/:ticketId', { params: { ticketId: ticket.id }, query: { at, limit: 1 } })).messages
  }
  return <FindDialog key={`${ticket.id} ${day}`} lane={ticket.id} find={find} findDay={findDay} day={day} />
}

/** What the server looked at: the text, the name of a document, a transcription. */
function getSearchableText({ mediaType, body, fromMe, media, transcription }: Message): string {
  const contents = mediaType === 'location' ? (body.split('|')[2] ?? '') : fromMe ? splitSignature(body).body : body
  return [contents, mediaType === 'application' ? media?.name : null, transcription].filter(Boolean).join('\n')
}
