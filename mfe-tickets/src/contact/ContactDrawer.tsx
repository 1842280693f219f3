// Who the customer is and how this ticket came about; a column where there is room, a layer where there is not.
import type { Contact, Message, Ticket } from '@balcao/contract'
import { errorText, formatDate, formatDateTime, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chips, Drawer, ErrorState, Icon, QueueDot, useNarrowerThan } from '@balcao/ui/parts'
import { FileText, Mic, Video } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useConversation } from '../conversation/use-conversation.ts'
import { view } from '../desk/view.ts'
import { phoneOf } from '../message/phone.ts'
import { server } from '../server.ts'

export default function ContactDrawer({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const over = useNarrowerThan('wide')
  const name = ticket.contact.name || t('noName')
  return (
    <Drawer
      title={t('drawer.title')}
      over={over}
      onClose={() => {
        view.drawer = false
      }}
    >
      <div className="x-head">
        <Avatar
          id={ticket.contactId}
          name={name}
          photo={ticket.contact.profilePicUrl}
          group={ticket.isGroup}
          size={64}
        />
        <div>
          <h3>{name}</h3>
          {ticket.contact.number && <p className="m-quiet">{phoneOf(ticket.contact.number)}</p>}
          <div className="x-tags">
            <Chips tags={ticket.contact.tags} most={6} />
          </div>
        </div>
      </div>
      <Service ticket={ticket} />
      <Info contactId={ticket.contactId} />
      <Media ticketId={ticket.id} />
    </Drawer>
  )
}

function Service({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  return (
    <section className="x-section">
      <h4>{t('drawer.service')}</h4>
      <dl className="x-facts">
        <dt>{t('drawer.queue')}</dt>
        <dd>
          {ticket.queue && <QueueDot color={ticket.queue.color} />}
          {ticket.queue?.name ?? t('noQueue')}
        </dd>
        <dt>{t('drawer.attendant')}</dt>
        <dd>{ticket.user?.name ?? t('drawer.nobody')}</dd>
        <dt>{t('drawer.connection')}</dt>
        <dd>{ticket.whatsapp.name}</dd>
        {ticket.acceptedAt && (
          <>
            <dt>{t('drawer.waited')}</dt>
            <dd>{waited(ticket.createdAt, ticket.acceptedAt)}</dd>
          </>
        )}
        <dt>{t('drawer.since')}</dt>
        <dd>{formatDateTime(ticket.createdAt)}</dd>
      </dl>
    </section>
  )
}

function Info({ contactId }: { readonly contactId: number }) {
  const t = useTexts('tickets')
  const [again, setAgain] = useState(0)
  const { contact, error } = useContact(contactId, again)
  if (error)
    return <ErrorState title={t('drawer.failed')} text={errorText(error)} onRetry={() => setAgain(again + 1)} />
  if (!contact) return null
  const others = contact.numbers.filter(number => number !== contact.number)
  return (
    <section className="x-section">
      <h4>{t('drawer.info')}</h4>
      <dl className="x-facts">
        {contact.email && (
          <>
            <dt>{t('drawer.email')}</dt>
            <dd>{contact.email}</dd>
          </>
        )}
        {others.length > 0 && (
          <>
            <dt>{t('drawer.numbers')}</dt>
            <dd>{others.map(phoneOf).join(', ')}</dd>
          </>
        )}
        <dt>{t('drawer.created')}</dt>
        <dd>{formatDate(contact.createdAt)}</dd>
        {contact.extraInfo.map(info => (
          <Extra key={info.name} name={info.name} value={info.value} />
        ))}
      </dl>
    </section>
  )
}

function Extra({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function Media({ ticketId }: { readonly ticketId: number }) {
  const t = useTexts('tickets')
  const { messages } = useConversation(ticketId)
  const files = messages.filter(
    message => message.mediaUrl && ['image', 'video', 'audio', 'application'].includes(message.mediaType),
  )
  const newest = files.slice(-8).reverse()
  return (
    <section className="x-section">
      <h4>{t('drawer.media')}</h4>
      {newest.length === 0 ? (
        <p className="m-quiet">{t('drawer.noMedia')}</p>
      ) : (
        <div className="x-media">
          {newest.map(message => (
            <button
              key={message.id}
              type="button"
              aria-label={message.media?.name || t(`media.${message.mediaType}`)}
              onClick={() => {
                view.jumpTo = { messageId: message.id, ticketId, at: Date.now() }
              }}
            >
              <Thumb message={message} />
            </button>
          ))}
        </div>
      )}
    </section>
  )
}

const ICONS = { video: Video, audio: Mic, application: FileText }

function Thumb({ message }: { readonly message: Message }) {
  const source = message.media?.thumbUrl ?? (message.mediaType === 'image' ? message.mediaUrl : null)
  if (source) return <img src={source} alt="" loading="lazy" />
  return <Icon of={ICONS[message.mediaType as keyof typeof ICONS] ?? FileText} />
}

function useContact(id: number, again: number) {
  const [found, setFound] = useState<{ contact: Contact | null; error: unknown }>({ contact: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks once more
  useEffect(() => {
    let left = false
    server
      .contact(id)
      .then(contact => !left && setFound({ contact, error: null }))
      .catch((error: unknown) => !left && setFound({ contact: null, error }))
    return () => {
      left = true
    }
  }, [id, again])
  return found
}

/** '4 min 10 s' */
function waited(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
