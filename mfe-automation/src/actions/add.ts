import type { Action } from '@balcao/ui/actions'
import { Plus } from 'lucide-react'
import type { Desk } from '../quick-answers/desk.ts'

/** Opens the empty form. */
export function addAnswer(desk: Desk): Action {
  return {
    id: 'quickAnswers.add',
    labelKey: 'automation:add',
    groupKey: 'automation:group',
    icon: Plus,
    shortcut: 'N',
    perform: () => desk.open({ kind: 'add' }),
  }
}
