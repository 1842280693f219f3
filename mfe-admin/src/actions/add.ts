import type { Action } from '@balcao/ui/actions'
import { Plus } from 'lucide-react'
import type { Desk } from '../connections/desk.ts'

/** Opens the empty form. */
export function addConnection(desk: Desk): Action {
  return {
    id: 'connections.add',
    labelKey: 'admin:add',
    groupKey: 'admin:group',
    icon: Plus,
    shortcut: 'N',
    perform: () => desk.open({ kind: 'add' }),
  }
}
