import type { Action } from '@balcao/ui/actions'
import { Search } from 'lucide-react'
import type { Desk } from '../quick-answers/desk.ts'

/** Puts the cursor into the search field. */
export function searchAnswers(desk: Desk): Action {
  return {
    id: 'quickAnswers.search',
    labelKey: 'automation:focusSearch',
    groupKey: 'automation:group',
    icon: Search,
    shortcut: '/',
    perform: desk.focusSearch,
  }
}
