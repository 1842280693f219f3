// The places in which something is held of a person, as the page draws them.
import type { HeldData } from '@balcao/contract'
import { describeHeldData, type HeldDataDescription, type HeldDataId } from '@balcao/contract/privacy/held-data-texts'
import { formatDate, getLanguage, type Texts } from '@balcao/ui/i18n'
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

export interface HeldDataRow extends HeldDataDescription {
  readonly icon: LucideIcon
}

const ICONS: Readonly<Record<HeldDataId, LucideIcon>> = {
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

export function listHeldData(held: HeldData, t: Texts): readonly HeldDataRow[] {
  const texts = { language: getLanguage(), say: t, day: formatDate }
  return describeHeldData(held, texts).map(place => ({ ...place, icon: ICONS[place.id] }))
}
