// A line about the ticket itself: who accepted, transferred, paused, closed it. Centred, one icon, no box.
import type { Message } from '@balcao/contract'
import pt from '@balcao/contract/texts/lines/pt.json'
import { addTexts, formatTime, hasText, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import {
  ArrowLeftRight,
  CalendarCheck,
  CalendarClock,
  CalendarX,
  Check,
  CheckCheck,
  Info,
  type LucideIcon,
  Pause,
  Play,
  RotateCcw,
  Undo2,
} from 'lucide-react'

/** Reports say the same. */
addTexts('tickets', {
  pt,
  en: () => import('@balcao/contract/texts/lines/en.json'),
  es: () => import('@balcao/contract/texts/lines/es.json'),
})

const ICONS: Record<string, LucideIcon> = {
  accepted: Check,
  opened: Check,
  resolved: CheckCheck,
  closed: CheckCheck,
  reopened: RotateCcw,
  returned: Undo2,
  paused: Pause,
  resumed: Play,
  transferred: ArrowLeftRight,
  given: ArrowLeftRight,
  idle: CheckCheck,
  unrated: CheckCheck,
  scheduled: CalendarClock,
  unscheduled: CalendarX,
  scheduleSent: CalendarCheck,
  scheduleFailed: CalendarX,
}

export function SystemLine({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const code = message.system?.code ?? ''
  const name = code.split('.').at(-1) ?? code
  const text = hasText('tickets', `system.${name}`) ? t(`system.${name}`, message.system?.params) : message.body || code
  return (
    <p className="m-system">
      <Icon of={ICONS[name] ?? Info} size={14} />
      <span>
        {text} · {formatTime(message.createdAt)}
      </span>
    </p>
  )
}
