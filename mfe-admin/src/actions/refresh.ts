import type { Action } from '@balcao/ui/actions'
import { RotateCw } from 'lucide-react'
import type { Desk } from '../connections/desk.ts'

/** Loads the connections afresh; live events do it by themselves, this is for the doubtful. */
export function refreshConnections(desk: Desk): Action {
  return {
    id: 'connections.refresh',
    labelKey: 'admin:refresh',
    groupKey: 'admin:group',
    icon: RotateCw,
    shortcut: 'U',
    perform: desk.reload,
  }
}
