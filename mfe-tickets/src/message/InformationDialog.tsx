// Everything known of a message: its way with times, who wrote it, what it said before, who reacted, why it failed (spec 1 §5).
import type { MessageInformation, Ticket } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeError, formatMoment, useTexts } from '@balcao/ui/i18n'
import { Bone, Button, DockedDialog, ErrorState, Icon, Ticks, useSkeleton } from '@balcao/ui/parts'
import { Clock, Inbox } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { splitSignature } from '../composer/wording.ts'
import { getConversation } from '../conversation/conversation-store.ts'
import { closeDialog } from '../desk/view.ts'
import { FormattedText } from './FormattedText.tsx'
import { nameReactor } from './Reactions.tsx'
import { describeFailure } from './Trouble.tsx'

interface InformationDialogProps {
  readonly ticket: Ticket
  readonly messageId: number
}

export function InformationDialog({ ticket, messageId }: InformationDialogProps) {
  const t = useTexts('tickets')
  const { known, error, again } = useInformation(ticket.id, messageId)
  const skeleton = useSkeleton(known === null && error === null)
  return (
    <DockedDialog
      title={t('info.title')}
      onClose={closeDialog}
      footer={
        <Button onClick={closeDialog} data-autofocus="">
          {t('info.close')}
        </Button>
      }
    >
      {error !== null && <ErrorState title={t('info.failed')} text={describeError(error)} onRetry={again} />}
      {known === null && error === null && skeleton && <Bone height={160} />}
      {known && <Facts known={known} />}
    </DockedDialog>
  )
}

/** How far a message of ours comes; a comment is only stored. */
const WAY = ['sent', 'delivered', 'read'] as const

function Facts({ known }: { readonly known: MessageInformation }) {
  const t = useTexts('tickets')
  const { message, edits } = known
  const card = message.details?.card
  const failed = message.state === 'failed' || known.errorLog !== null
  const far = WAY.findIndex(step => message.state === step)
  const takenBack = message.isDeleted && message.fromMe && known.queuedAt !== null && known.sentAt === null
  return (
    <div className="g-info">
      <dl>
        <Fact label={t('info.by')}>{getAuthorName(known, t)}</Fact>
        <Fact label={t('info.connection')}>{known.connection}</Fact>
        {getMessageKind(message.mediaType).named && (
          <Fact label={t('info.kind')}>
            {t(`media.${message.mediaType}`)}
            {card?.kind === 'notice' && card.name && <small>{card.name}</small>}
          </Fact>
        )}
        {message.fromMe ? (
          <>
            <Step label={t('info.queued')} at={known.queuedAt} icon={<Icon of={Clock} size={16} />} />
            {WAY.slice(0, message.mediaType === 'comment' ? 1 : WAY.length).map((step, at) => (
              <Step
                key={step}
                label={t(`info.${step}`)}
                at={known[`${step}At`]}
                icon={<Ticks state={step} bare />}
                waiting={step !== 'sent' || !failed}
                done={at <= far}
              />
            ))}
          </>
        ) : (
          <Step label={t('info.received')} at={known.sentAt} icon={<Icon of={Inbox} size={16} />} />
        )}
        {failed && (
          <Fact label={t('info.error')} danger>
            {describeFailure(known.errorLog, t)}
            {known.errorLog && <small>{t('info.code', { code: String(known.errorLog.code) })}</small>}
          </Fact>
        )}
      </dl>
      {takenBack && <p className="g-info-note">{t('info.takenBack')}</p>}
      {message.reactions.length > 0 && (
        <Part title={t('msg.whoReacted')}>
          {message.reactions.map(reaction => (
            <li key={`${reaction.person ?? reaction.by}${reaction.fromMe}`}>
              {reaction.emoji} {nameReactor(reaction, t)}
            </li>
          ))}
        </Part>
      )}
      {edits.length > 0 && (
        <Part title={t('info.edits')}>
          {edits.map((edit, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: earlier texts never move
            <li key={index} className="g-info-edit">
              <small>
                {edit.by ? t('info.until', { at: formatInstant(edit.at), by: edit.by }) : formatInstant(edit.at)}
              </small>
              <FormattedText text={message.fromMe ? splitSignature(edit.body).body : edit.body} />
            </li>
          ))}
        </Part>
      )}
    </div>
  )
}

function getAuthorName({ message, queuedAt }: MessageInformation, t: ReturnType<typeof useTexts>): string {
  if (!message.fromMe) return message.contact.name || t('noName')
  return message.user?.name ?? t(queuedAt === null ? 'msg.onPhone' : 'info.byDesk')
}

interface FactProps {
  readonly label: string
  readonly danger?: boolean
  readonly children: ReactNode
}

function Fact({ label, danger, children }: FactProps) {
  return (
    <div className={danger ? 'is-danger' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface StepProps {
  readonly label: string
  readonly at: string | null
  readonly icon: ReactNode
  /** Without a time it is still to come; otherwise nobody told. */
  readonly waiting?: boolean
  /** It came so far, whether or not anybody told when. */
  readonly done?: boolean
}

function Step({ label, at, icon, waiting = false, done = false }: StepProps) {
  const t = useTexts('tickets')
  if (at === null && !waiting) return null
  return (
    <div>
      <dt>
        <span aria-hidden="true">{icon}</span>
        {label}
      </dt>
      <dd>{at === null ? t(done ? 'info.untold' : 'info.notYet') : <time dateTime={at}>{formatInstant(at)}</time>}</dd>
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

function formatInstant(instant: string): string {
  return formatMoment(instant)
}

/** Asked again whenever the message changes: a tick that turns blue while one looks turns blue here. */
function useInformation(ticketId: number, messageId: number) {
  const conversation = getConversation(ticketId)
  const version = useSyncExternalStore(
    conversation.subscribe,
    () => conversation.view().messages.find(message => message.id === messageId)?.version,
  )
  const ask = () => api('GET /messages/info/:id', { params: { id: messageId } })
  const { last: known, error, again } = useQuery(`${messageId} ${version}`, ask)
  return { known, error, again }
}
