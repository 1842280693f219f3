// The last message in one line: tick or kind of file, then its text as restricted markdown.
import type { MessageState, Ticket } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { parseInline, toPlainText } from '@balcao/contract/messages/whatsapp-text'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, type TickState, Ticks } from '@balcao/ui/parts'
import {
  Ban,
  Banknote,
  CalendarDays,
  ChartBarBig,
  CircleAlert,
  ClipboardList,
  Contact,
  File,
  FileText,
  Image,
  Lock,
  type LucideIcon,
  MapPin,
  Mic,
  PhoneMissed,
  ShoppingCart,
  Smile,
  Tag,
  Video,
} from 'lucide-react'
import { InlineText } from '../message/InlineText.tsx'
import { summarizeLastMessage } from './last-message.ts'
import type { UnsentSummary } from './unsent.ts'

const KINDS: Record<string, LucideIcon> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
  sticker: Smile,
  location: MapPin,
  vcard: Contact,
  contact_array: Contact,
  order: ShoppingCart,
  product: Tag,
  payment: Banknote,
  event: CalendarDays,
  poll: ChartBarBig,
  form: ClipboardList,
  call_log: PhoneMissed,
  comment: Lock,
  unknown: File,
}

export function Preview({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const { lastMessageState: state, lastMessageType: type } = ticket
  if (state === 'failed' && ticket.lastMessageFromMe)
    return (
      <span className="t-preview is-failed">
        <Icon of={CircleAlert} size={14} />
        {t('row.notSent')}
      </span>
    )
  if (type === 'deleted')
    return (
      <span className="t-preview is-deleted">
        <Icon of={Ban} size={14} />
        {t('deleted')}
      </span>
    )
  const icon = KINDS[type]
  return (
    <span className="t-preview">
      {ticket.lastMessageFromMe && isTick(state) && <Ticks state={state} bare />}
      {icon && <Icon of={icon} size={14} />}
      <bdi className="t-preview-text">
        <PreviewText text={ticket.lastMessage} type={type} />
      </bdi>
    </span>
  )
}

/** 'Rascunho: vou ver e já volto' */
export function UnsentLine({ unsent: { kind, text } }: { readonly unsent: UnsentSummary }) {
  const t = useTexts('tickets')
  const alarm = kind === 'refused' || kind === 'held'
  return (
    <span className={`t-preview is-${kind}`}>
      {alarm && <Icon of={CircleAlert} size={14} />}
      {kind === 'waiting' ? <Ticks state="queued" bare /> : <strong>{t(`row.${kind}`)}</strong>}
      <bdi className="t-preview-text">{toPlainText(text, 200)}</bdi>
    </span>
  )
}

function PreviewText({ text, type }: { readonly text: string; readonly type: string }) {
  const t = useTexts('tickets')
  const { kind, words } = summarizeLastMessage(text, type, t)
  if (words === '') return kind
  // The icon says that it is a picture, and not that it is an order.
  const { forward } = getMessageKind(type)
  return (
    <>
      {kind && forward === 'words' && `${kind}: `}
      <InlineText parts={parseInline(words)} links={false} />
    </>
  )
}

function isTick(state: MessageState | null): state is TickState {
  return state !== null && state !== 'received'
}
