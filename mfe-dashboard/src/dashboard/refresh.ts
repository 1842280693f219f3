import type { Action } from '@balcao/ui/actions'
import { RotateCw } from 'lucide-react'

/** Fetches the numbers now instead of at the end of the countdown. */
export function refreshNumbers(refresh: () => void): Action {
  return {
    id: 'dashboard.refresh',
    labelKey: 'dashboard:refresh',
    groupKey: 'dashboard:group',
    icon: RotateCw,
    shortcut: 'U',
    perform: refresh,
  }
}
