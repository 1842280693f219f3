// The places in which something is held of a person, in the reader's words, and what erasing makes of each; from the texts of the page.

import { formatFileSize } from '../messages/message-bodies.ts'
import type { HeldData } from './privacy.ts'

/** It goes; it stays as it is, or holds the rest back; it goes by itself later. */
export type ErasureFate = 'goes' | 'stays' | 'later'

const PLACES = [
  'contact',
  'conversations',
  'files',
  'groups',
  'protocols',
  'ratings',
  'sends',
  'log',
  'backups',
] as const
export type HeldDataId = (typeof PLACES)[number]

export interface HeldDataDescription {
  readonly id: HeldDataId
  readonly fate: ErasureFate
  readonly says: string
}

/** The texts `place.<id>.…`, `span`, `more`, `average` and `nothing`, wherever they are shown. */
export interface HeldDataTexts {
  readonly language: 'pt' | 'en' | 'es'
  readonly say: (key: string, values?: Record<string, string | number>) => string
  readonly day: (instant: string) => string
}

export function describeHeldData(held: HeldData, texts: HeldDataTexts): readonly HeldDataDescription[] {
  return PLACES.map(id => ({ id, fate: decideFate(id, held), says: describeHeldItem(id, held, texts) }))
}

function decideFate(id: HeldDataId, { protocols }: HeldData): ErasureFate {
  if (id === 'protocols') return protocols.count > 0 ? 'stays' : 'goes'
  return id === 'backups' ? 'later' : 'goes'
}

function describeHeldItem(id: HeldDataId, held: HeldData, { language, say: word, day }: HeldDataTexts): string {
  const say = (key: string, count: number) => (count > 0 ? word(`place.${id}.${key}`, { count }) : '')
  const list = (...parts: readonly string[]) => parts.filter(part => part !== '').join(', ') || word('nothing')
  switch (id) {
    case 'contact': {
      const { names, numbers, others, phoneBooks, tags, information } = held.contact
      return list(
        say('names', names),
        say('numbers', numbers.length),
        say('others', others),
        say('phoneBooks', phoneBooks),
        say('tags', tags),
        say('information', information),
      )
    }
    case 'conversations': {
      const { tickets, messages, firstAt, lastAt } = held.conversations
      const span = firstAt && lastAt ? word('span', { first: day(firstAt), last: day(lastAt) }) : ''
      return list(say('tickets', tickets), say('messages', messages), span)
    }
    case 'files': {
      const { pictures, recordings, documents, bytes } = held.files
      const size = bytes > 0 ? formatFileSize(bytes, language) : ''
      return list(say('pictures', pictures), say('recordings', recordings), say('documents', documents), size)
    }
    case 'groups':
      return list(say('messages', held.groups.messages))
    case 'protocols': {
      const { count, numbers } = held.protocols
      const more = count - numbers.length
      return list(...numbers, more > 0 ? word('more', { count: more }) : '')
    }
    case 'ratings': {
      const { count, average } = held.ratings
      const mean = average?.toLocaleString(language, { maximumFractionDigits: 1 }) ?? ''
      return list(say('count', count), mean && word('average', { mean }))
    }
    case 'sends':
      return list(
        say('received', held.sends.received),
        say('listed', held.sends.listed),
        say('scheduled', held.sends.scheduled),
      )
    case 'log':
      return list(say('entries', held.log.entries))
    case 'backups':
      return list(
        say('count', held.backups.count),
        held.backups.oldestAt === null ? '' : word('place.backups.oldest', { day: day(held.backups.oldestAt) }),
      )
  }
}
