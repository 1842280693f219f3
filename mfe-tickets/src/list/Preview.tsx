// The last message in one line: tick or kind of file, then its text as restricted markdown.
import type { MessageState, Ticket } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, type TickState, Ticks } from '@balcao/ui/parts'
import {
  Ban,
  CircleAlert,
  Contact,
  File,
  FileText,
  Image,
  Lock,
  type LucideIcon,
  MapPin,
  Mic,
  PhoneMissed,
  Smile,
  Video,
} from 'lucide-react'
import { commentText, splitSignature } from '../composer/wording.ts'
import { InlineText } from '../message/FormattedText.tsx'
import { parseInline } from '../message/whatsapp-text.ts'

const KINDS: Record<string, LucideIcon> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
  sticker: Smile,
  location: MapPin,
  vcard: Contact,
  contact_array: Contact,
  call_log: PhoneMissed,
  comment: Lock,
  unknown: File,
}
/** Types whose body is data, not words. */
const WORDLESS = new Set(['location', 'vcard', 'contact_array', 'call_log', 'unknown', 'sticker'])

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
      <span className="t-preview-text">
        <PreviewText text={ticket.lastMessage} type={type} />
      </span>
    </span>
  )
}

function PreviewText({ text, type }: { readonly text: string; readonly type: string }) {
  const t = useTexts('tickets')
  const known = KINDS[type] !== undefined
  if (WORDLESS.has(type) || (known && text.trim() === '')) return t(`media.${type}`)
  const words = type === 'comment' ? commentText(text) : splitSignature(text).body
  const line = words.slice(0, 300).replace(/\s+/g, ' ').trim()
  return <InlineText parts={parseInline(line)} links={false} />
}

function isTick(state: MessageState | null): state is TickState {
  return state !== null && state !== 'received'
}
