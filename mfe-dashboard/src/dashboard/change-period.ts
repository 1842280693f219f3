import type { Action } from '@balcao/ui/actions'
import { CalendarDays } from 'lucide-react'

/** Opens the choice of the period. */
export function changePeriod(open: () => void): Action {
  return {
    id: 'dashboard.period',
    labelKey: 'dashboard:changePeriod',
    groupKey: 'dashboard:group',
    icon: CalendarDays,
    shortcut: 'D',
    perform: open,
  }
}
