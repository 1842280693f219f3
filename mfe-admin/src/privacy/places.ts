// The places in which something is held of a person, in words, and what erasing makes of each.
import type { HeldData } from '@balcao/contract'
import { fileSize } from '@balcao/contract/message-bodies'
import { currentLanguage, formatDate, type Texts } from '@balcao/ui/i18n'
import {
  Contact,
  HardDrive,
  History,
  type LucideIcon,
  MessagesSquare,
  Paperclip,
  ReceiptText,
  Send,
  Star,
  UsersRound,
} from 'lucide-react'

/** It goes; it stays as it is, or holds the rest back; it goes by itself later. */
export type Fate = 'goes' | 'stays' | 'later'

const IDS = ['contact', 'conversations', 'files', 'groups', 'protocols', 'ratings', 'sends', 'log', 'backups'] as const
type PlaceId = (typeof IDS)[number]

export interface Place {
  readonly id: PlaceId
  readonly icon: LucideIcon
  readonly fate: Fate
  readonly says: string
}

const ICONS: Readonly<Record<PlaceId, LucideIcon>> = {
  contact: Contact,
  conversations: MessagesSquare,
  files: Paperclip,
  groups: UsersRound,
  protocols: ReceiptText,
  ratings: Star,
  sends: Send,
  log: History,
  backups: HardDrive,
}

export function placesOf(held: HeldData, t: Texts): readonly Place[] {
  return IDS.map(id => ({ id, icon: ICONS[id], fate: fateOf(id, held), says: wordsOf(id, held, t) }))
}

function fateOf(id: PlaceId, { protocols }: HeldData): Fate {
  if (id === 'protocols') return protocols.count > 0 ? 'stays' : 'goes'
  return id === 'backups' ? 'later' : 'goes'
}

function wordsOf(id: PlaceId, held: HeldData, t: Texts): string {
  const say = (what: string, count: number) => (count > 0 ? t(`place.${id}.${what}`, { count }) : '')
  const list = (...parts: readonly string[]) => parts.filter(part => part !== '').join(', ') || t('nothing')
  switch (id) {
    case 'contact': {
      const { names, numbers, others, tags, information } = held.contact
      return list(
        say('names', names),
        say('numbers', numbers.length),
        say('others', others),
        say('tags', tags),
        say('information', information),
      )
    }
    case 'conversations': {
      const { tickets, messages, firstAt, lastAt } = held.conversations
      const span = firstAt && lastAt ? t('span', { first: formatDate(firstAt), last: formatDate(lastAt) }) : ''
      return list(say('tickets', tickets), say('messages', messages), span)
    }
    case 'files': {
      const { pictures, recordings, documents, bytes } = held.files
      const size = bytes > 0 ? fileSize(bytes, currentLanguage()) : ''
      return list(say('pictures', pictures), say('recordings', recordings), say('documents', documents), size)
    }
    case 'groups':
      return list(say('messages', held.groups.messages))
    case 'protocols': {
      const { count, numbers } = held.protocols
      const more = count - numbers.length
      return list(...numbers, more > 0 ? t('more', { count: more }) : '')
    }
    case 'ratings': {
      const { count, average } = held.ratings
      const mean = average?.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 }) ?? ''
      return list(say('count', count), mean && t('average', { mean }))
    }
    case 'sends':
      return list(say('received', held.sends.received), say('scheduled', held.sends.scheduled))
    case 'log':
      return list(say('entries', held.log.entries))
    case 'backups':
      return list(
        say('count', held.backups.count),
        held.backups.oldestAt === null ? '' : t('place.backups.oldest', { day: formatDate(held.backups.oldestAt) }),
      )
  }
}
