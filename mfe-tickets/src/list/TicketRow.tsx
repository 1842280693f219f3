// One row: strip · avatar · name and time · preview and badge · tags, connection and how long it has been waiting (look §6).
import { type Ticket, truncateText } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import { countMinutesSince, formatListTime, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chip, Chips, defineLatePart, QueueStrip } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { Pause, UserRound } from 'lucide-react'
import { memo } from 'react'
import { getStores } from '../desk/stores.ts'
import { getWaitStart } from '../tickets/is-in-list.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { useTicket, useTyping } from '../tickets/use-tickets.ts'
import { useMinute } from '../use-minute.ts'
import { describeViewers, useViewers } from '../viewers/use-viewers.ts'
import { summarizeLastMessage } from './last-message.ts'
import { Preview, UnsentLine } from './Preview.tsx'
import { describePauseEnd } from './pause-end.ts'
import { RowFrame } from './RowFrame.tsx'
import { useUnsent } from './unsent.ts'

const RowFaces = defineLatePart(async () => ({ default: (await import('../viewers/Faces.tsx')).RowFaces }), 'nowhere')

const RowDue = defineLatePart(() => import('./RowDue.tsx'), 'nowhere')

interface TicketRowProps {
  readonly id: number
  /** The connection's name is shown only when there is more than one. */
  readonly showConnection: boolean
}

export const TicketRow = memo(function TicketRow({ id, showConnection }: TicketRowProps) {
  const ticket = useTicket(id)
  if (!ticket) return null
  return <Row ticket={ticket} showConnection={showConnection} />
})

function Row({ ticket, showConnection }: { readonly ticket: Ticket; readonly showConnection: boolean }) {
  const t = useTexts('tickets')
  const name = ticket.contact.name || t('noName')
  const now = useMinute()
  const typing = useTyping(ticket.id)
  const looking = useViewers(ticket.id)
  const unsent = useUnsent(ticket.id)
  const me = useUser().id
  const ends = describePauseEnd(ticket, t, now)
  const whose = ticket.user && ticket.userId !== me ? ticket.user.name : null
  const people = [whose && t('row.with', { name: whose }), describeViewers(looking, t)]
  const draft = unsent && `${t(`row.${unsent.kind}`)} ${truncateText(unsent.text, 120)}`
  return (
    <RowFrame
      heard={describeRowForReaders(ticket, t, now, [...people, draft, ends], showConnection)}
      avatar={
        <>
          {ticket.answerDueAt && <RowDue {...ticket} now={now} isHeard />}
          <QueueStrip color={ticket.queue?.color} />
          <Avatar id={ticket.contactId} name={name} photo={ticket.contact.profilePicUrl} group={ticket.isGroup} />
        </>
      }
      title={name}
      at={ticket.lastMessageAt}
      now={now}
      unread={ticket.unreadMessages}
      isPinned={getStores().tickets.isPinned(ticket.id)}
      line={
        typing ? (
          <span className="t-preview is-typing">{t(`typing.${typing}`)}</span>
        ) : unsent ? (
          <UnsentLine unsent={unsent} />
        ) : (
          <Preview ticket={ticket} />
        )
      }
      facts={
        <>
          {ticket.status === 'closed' && <Chip>{t('row.closed')}</Chip>}
          {ticket.pauseTag && ticket.status === 'paused' && <Chip icon={Pause}>{ticket.pauseTag}</Chip>}
          {ticket.answerDueAt && <RowDue {...ticket} now={now} />}
          {ends && <span className="t-row-fact is-waiting">{ends}</span>}
          {!ticket.queue && ticket.status !== 'closed' && <Chip>{t('noQueue')}</Chip>}
          {whose && <Chip icon={UserRound}>{whose.split(' ')[0]}</Chip>}
          {/* Beside 'Sem fila', a colleague's name or how long it waits there is room for one. */}
          <Chips tags={ticket.contact.tags} most={ticket.status === 'pending' || !ticket.queue || whose ? 1 : 2} />
          {ticket.status === 'pending' && ticket.queue && ticket.contact.tags.length === 0 && (
            <Chip color={ticket.queue.color}>{ticket.queue.name}</Chip>
          )}
          <Facts ticket={ticket} showConnection={showConnection} now={now} />
          {looking.length > 0 && <RowFaces people={looking} />}
        </>
      }
    />
  )
}

function Facts({ ticket, showConnection, now }: { ticket: Ticket; showConnection: boolean; now: Date }) {
  const t = useTexts('tickets')
  const facts = [
    ticket.contact.name || !ticket.contact.number ? null : formatPhone(ticket.contact.number),
    ticket.contact.tags.length === 0 && ticket.queue && ticket.status !== 'pending' ? ticket.queue.name : null,
    showConnection ? ticket.whatsapp.name : null,
  ].filter(fact => fact)
  return (
    <>
      {facts.map(fact => (
        <span key={fact} className="t-row-fact">
          {fact}
        </span>
      ))}
      {ticket.status === 'pending' && !ticket.answerDueAt && (
        <span className="t-row-fact is-waiting">{describeWait(ticket, t, now)}</span>
      )}
    </>
  )
}

type Texts = ReturnType<typeof useTexts>

/** 'espera 6 min' */
export function describeWait(ticket: Ticket, t: Texts, now: Date): string {
  const minutes = countMinutesSince(getWaitStart(ticket), now)
  if (minutes < 1) return t('row.waitsNow')
  if (minutes < 60) return t('row.waitsMinutes', { minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? t('row.waitsHours', { hours }) : t('row.waitsDays', { days: Math.floor(hours / 24) })
}

function describeRowForReaders(
  ticket: Ticket,
  t: Texts,
  now: Date,
  also: readonly (string | null)[],
  showConnection: boolean,
) {
  return [
    nameContact(ticket.contact),
    getStores().tickets.isPinned(ticket.id) ? t('row.pinned') : null,
    ticket.unreadMessages > 0 ? t('row.unread', { count: ticket.unreadMessages }) : null,
    ticket.queue ? t('row.queue', { name: ticket.queue.name }) : t('noQueue'),
    ticket.status === 'closed' ? t('row.closed') : null,
    ticket.status === 'pending' ? describeWait(ticket, t, now) : null,
    ...also,
    ticket.lastMessageFromMe ? t('row.you') : null,
    describeLastMessage(ticket, t),
    formatListTime(ticket.lastMessageAt, now),
    ticket.pauseTag && ticket.status === 'paused' ? t('row.paused', { tag: ticket.pauseTag }) : null,
    ticket.contact.tags.length > 0
      ? t('row.tags', { tags: ticket.contact.tags.map(tag => tag.name).join(', ') })
      : null,
    showConnection ? t('row.connection', { name: ticket.whatsapp.name }) : null,
  ]
}

/** 'Foto: o boleto de novembro' */
function describeLastMessage(ticket: Ticket, t: Texts): string {
  if (ticket.lastMessageState === 'failed' && ticket.lastMessageFromMe) return t('row.notSent')
  const { kind, words } = summarizeLastMessage(ticket.lastMessage, ticket.lastMessageType, t)
  return [kind, toPlainText(words, 120)].filter(Boolean).join(': ')
}
