// A message that was found: whose conversation, when, and the line with the words.
import type { MessageHit } from '@balcao/contract'
import { excerptLine } from '@balcao/contract/kit/search'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import { formatListTime, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chip, QueueStrip } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { UserRound } from 'lucide-react'
import { RowFrame } from '../list/RowFrame.tsx'
import { useTicket } from '../tickets/use-tickets.ts'
import { useMinute } from '../use-minute.ts'
import { Marked } from './Marked.tsx'

/** So many letters stand in a row: the first word found is always among them. */
const ROOM = 48

interface HitRowProps {
  readonly hit: MessageHit
  readonly words: readonly string[]
  readonly showConnection: boolean
}

export function HitRow({ hit, words, showConnection }: HitRowProps) {
  const t = useTexts('tickets')
  const now = useMinute()
  const me = useUser().id
  const ticket = useTicket(hit.ticketId)
  if (!ticket) return null
  const name = ticket.contact.name || t('noName')
  const whose = ticket.user && ticket.userId !== me ? ticket.user.name : null
  const by = hit.fromMe || ticket.isGroup ? `${hit.name.split(' ')[0] || t('you')}: ` : ''
  const line = toPlainText(excerptLine(hit.text, words, ROOM)) || t(`media.${hit.mediaType}`)
  const facts = [ticket.queue?.name ?? t('noQueue'), showConnection ? ticket.whatsapp.name : null].filter(Boolean)
  return (
    <RowFrame
      heard={[
        name,
        `${by}${line}`,
        formatListTime(hit.createdAt, now),
        ticket.status === 'closed' ? t('row.closed') : null,
        whose && t('row.with', { name: whose }),
        facts[0],
      ]}
      avatar={
        <>
          <QueueStrip color={ticket.queue?.color} />
          <Avatar id={ticket.contactId} name={name} photo={ticket.contact.profilePicUrl} group={ticket.isGroup} />
        </>
      }
      title={name}
      at={hit.createdAt}
      now={now}
      line={
        <span className="t-preview">
          {by && <span className="f-by">{by}</span>}
          <bdi className="t-preview-text">
            <Marked text={line} words={words} />
          </bdi>
        </span>
      }
      facts={
        <>
          {ticket.status === 'closed' && <Chip>{t('row.closed')}</Chip>}
          {whose && <Chip icon={UserRound}>{whose.split(' ')[0]}</Chip>}
          {facts.map(fact => (
            <span key={fact} className="t-row-fact">
              {fact}
            </span>
          ))}
        </>
      }
    />
  )
}
