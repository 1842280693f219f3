// The places in which something is held of a person, as the page draws them.
import type { HeldData } from '@balcao/contract'
import { type HeldPlace, type PlaceId, placesIn } from '@balcao/contract/privacy-words'
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

export interface Place extends HeldPlace {
  readonly icon: LucideIcon
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
  const texts = { language: currentLanguage(), say: t, day: formatDate }
  return placesIn(held, texts).map(place => ({ ...place, icon: ICONS[place.id] }))
}
