// Who the customer is and how this ticket came about; a column where there is room, a layer where there is not.
import { listPhoneVariants, type Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { ContactForm, TagRow } from '@balcao/ui/forms'
import { describeError, formatDate, formatMoment, useTexts } from '@balcao/ui/i18n'
import { Avatar, Bone, Drawer, ErrorState, IconButton, QueueDot, Skeleton, useNarrowerThan } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'
import { Ban, ChevronLeft, ChevronRight, Pencil, ScrollText, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { togglePanel } from '../desk/view.ts'
import { OriginText } from '../message/OriginText.tsx'
import { describeTimer } from './describe-timer.ts'
import { Gallery } from './Gallery.tsx'
import { GalleryStrip } from './GalleryStrip.tsx'
import { History } from './History.tsx'
import { Scheduled } from './Scheduled.tsx'
import { useChatContext } from './use-chat-context.ts'
import { type ContactAnswer, useContact } from './use-contact.ts'

interface ContactDrawerProps {
  readonly ticket: Ticket
  readonly isGalleryFirst: boolean
  readonly open: (ticketId: number) => void
  readonly onClose: () => void
}

export function ContactDrawer({ ticket, isGalleryFirst, open, onClose }: ContactDrawerProps) {
  const t = useTexts('tickets')
  const over = useNarrowerThan('wide')
  const user = useUser()
  const answer = useContact(ticket.contactId)
  const [showing, setShowing] = useState<'facts' | 'gallery'>(isGalleryFirst ? 'gallery' : 'facts')
  const [editing, setEditing] = useState(false)
  const { contact } = answer
  if (showing === 'gallery')
    return (
      <Drawer
        title={t('drawer.media')}
        over={over}
        takesFocus
        onClose={onClose}
        tools={<IconButton icon={ChevronLeft} label={t('drawer.back')} onClick={() => setShowing('facts')} />}
      >
        <Gallery ticketId={ticket.id} contactId={ticket.contactId} />
      </Drawer>
    )
  return (
    <Drawer
      title={t(ticket.isGroup ? 'drawer.groupTitle' : 'drawer.title')}
      over={over}
      onClose={onClose}
      tools={
        user.editContact &&
        contact && <IconButton icon={Pencil} label={t('drawer.edit')} onClick={() => setEditing(true)} />
      }
    >
      <Head ticket={ticket} answer={answer} />
      {ticket.isGroup && (
        <button type="button" className="x-link" onClick={() => togglePanel('group')}>
          <UsersRound size={16} strokeWidth={1.8} aria-hidden="true" />
          {t('drawer.participants')}
          <ChevronRight size={16} strokeWidth={1.8} aria-hidden="true" />
        </button>
      )}
      <Service ticket={ticket} />
      <Info answer={answer} />
      <GalleryStrip ticketId={ticket.id} contactId={ticket.contactId} onAll={() => setShowing('gallery')} />
      <Scheduled ticket={ticket} />
      <History ticket={ticket} open={open} />
      <Link className="x-link" to={`/contacts?contato=${ticket.contactId}`}>
        <ScrollText size={16} strokeWidth={1.8} aria-hidden="true" />
        {t('drawer.past')}
        <ChevronRight size={16} strokeWidth={1.8} aria-hidden="true" />
      </Link>
      {editing && contact && <ContactForm contact={contact} onClose={() => setEditing(false)} onSaved={answer.take} />}
    </Drawer>
  )
}

function Head({ ticket, answer }: { readonly ticket: Ticket; readonly answer: ContactAnswer }) {
  const t = useTexts('tickets')
  const { contact, take } = answer
  const name = (contact ?? ticket.contact).name || t('noName')
  const number = (contact ?? ticket.contact).number
  return (
    <div className="x-head">
      <Avatar
        id={ticket.contactId}
        name={name}
        photo={(contact ?? ticket.contact).profilePicUrl}
        group={ticket.isGroup}
        size={64}
      />
      <div className="x-who">
        <h3>{name}</h3>
        {number && <p className="m-quiet">{formatPhone(number)}</p>}
        <TagRow contactId={ticket.contactId} tags={(contact ?? ticket.contact).tags} onSaved={take} />
      </div>
    </div>
  )
}

function Service({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const { origin, disappearsAfter } = useChatContext(ticket) ?? {}
  return (
    <section className="x-section">
      <h4>{t('drawer.service')}</h4>
      {origin && (
        <p className="x-origin">
          <OriginText origin={origin} />
        </p>
      )}
      <dl className="x-facts">
        <Fact name={t('drawer.queue')}>
          {ticket.queue && <QueueDot color={ticket.queue.color} />}
          {ticket.queue?.name ?? t('noQueue')}
        </Fact>
        <Fact name={t('drawer.attendant')}>{ticket.user?.name ?? t('drawer.nobody')}</Fact>
        <Fact name={t('drawer.connection')}>{ticket.whatsapp.name}</Fact>
        <Fact name={t('drawer.since')}>{formatMoment(ticket.createdAt)}</Fact>
        {disappearsAfter && <Fact name={t('drawer.disappearing')}>{describeTimer(disappearsAfter, t)}</Fact>}
        {ticket.acceptedAt && <Fact name={t('drawer.accepted')}>{formatMoment(ticket.acceptedAt)}</Fact>}
        {ticket.closedAt && <Fact name={t('drawer.closed')}>{formatMoment(ticket.closedAt)}</Fact>}
      </dl>
    </section>
  )
}

function Info({ answer: { contact, error, again } }: { readonly answer: ContactAnswer }) {
  const t = useTexts('tickets')
  if (error && !contact) return <ErrorState title={t('drawer.failed')} text={describeError(error)} onRetry={again} />
  if (!contact)
    return (
      <section className="x-section">
        <Skeleton>
          <Bone width="40%" />
          <Bone width="80%" />
          <Bone width="65%" />
        </Skeleton>
      </section>
    )
  // A number with and without the ninth digit is one number.
  const own = new Set(listPhoneVariants(contact.number ?? ''))
  const others = contact.numbers.filter(number => !own.has(number))
  return (
    <section className="x-section">
      <h4>{t('drawer.info')}</h4>
      {contact.optedOutAt && (
        <p className="x-note">
          <Ban size={16} strokeWidth={1.8} aria-hidden="true" />
          {t('drawer.optedOut', { date: formatDate(contact.optedOutAt) })}
        </p>
      )}
      <dl className="x-facts">
        {contact.email && (
          <Fact name={t('drawer.email')}>
            <a href={`mailto:${contact.email}`}>{contact.email}</a>
          </Fact>
        )}
        {others.length > 0 && <Fact name={t('drawer.numbers')}>{others.map(formatPhone).join(', ')}</Fact>}
        {!contact.respostaAutomatica && <Fact name={t('drawer.answers')}>{t('drawer.answersOff')}</Fact>}
        {contact.extraInfo.map((info, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and the whole list comes anew
          <Fact key={at} name={info.name}>
            {info.value}
          </Fact>
        ))}
        <Fact name={t('drawer.created')}>{formatDate(contact.createdAt)}</Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
