import type { Action } from '@balcao/ui/actions'

/** What a key does to the list of conversations; it stands among the help's keys of the desk. */
export function listAction(
  name: string,
  shortcut: string,
  perform: Action['perform'],
  more: Partial<Pick<Action, 'icon' | 'labelKey' | 'when'>> = {},
): Action {
  return {
    id: `tickets.${name}`,
    labelKey: `tickets:action.${name}`,
    groupKey: 'tickets:title',
    shortcut,
    perform,
    ...more,
  }
}
