import { type Question, type Ticket, truncateText } from '@balcao/contract'
import { buildBotMenu } from '@balcao/contract/bot/bot'
import { getOptionName, getOptionNumber, resolveMenuChoice } from '@balcao/contract/follow-up/answers'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { MonoChip } from '@balcao/ui/screens'
import { Contact, File, FileText, Image, type LucideIcon, MapPin, Mic, Smile, Video } from 'lucide-react'

const KINDS: Readonly<Record<string, LucideIcon>> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
  sticker: Smile,
  location: MapPin,
  vcard: Contact,
}

interface LastWordsProps {
  readonly of: Pick<Ticket, 'lastMessage' | 'lastMessageType' | 'lastMessageFromMe'>
  /** What the numbers of the bot's menu stand for; null where a flow gives them a meaning of its own. */
  readonly questions: readonly Question[] | null
}

/** What the customer said last: of a number also what it stands for. */
export function LastWords({ of: { lastMessage, lastMessageType, lastMessageFromMe }, questions }: LastWordsProps) {
  const t = useTexts('bot-tickets')
  const menu = questions
    ? buildBotMenu(
        questions.map(({ pergunta: text }) => ({ text })),
        true,
      )
    : []
  const isNumber = !lastMessageFromMe && /^\s*\d{1,2}\s*$/.test(lastMessage)
  const at = isNumber ? resolveMenuChoice(lastMessage, menu) : null
  const option = at === null ? undefined : menu[at]
  if (option !== undefined && at !== null)
    return (
      <span className="flex min-w-0 items-center gap-2">
        <span className="flex-none">
          <MonoChip>{getOptionNumber(option, at)}</MonoChip>
        </span>
        <bdi className="min-w-0 truncate">{getOptionName(option)}</bdi>
      </span>
    )
  const isText = getMessageKind(lastMessageType).body !== 'none' && lastMessage !== ''
  const known = KINDS[lastMessageType]
  if (lastMessageType === 'chat') return <Words text={lastMessage} />
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon of={known ?? File} size={14} />
      {isText ? <Words text={lastMessage} /> : t(`media.${known ? lastMessageType : 'other'}`)}
    </span>
  )
}

function Words({ text }: { readonly text: string }) {
  return (
    <bdi className="block min-w-0 truncate" title={truncateText(text, 400)}>
      {truncateText(text, 200)}
    </bdi>
  )
}
