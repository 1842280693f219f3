import type { Texts } from '@balcao/ui/i18n'
import type { MenuItem } from '@balcao/ui/parts'
import type { MessageAction } from './message-action.ts'

type MenuAction<C> = Omit<MessageAction, 'when' | 'reasonKey' | 'perform'> & {
  readonly reasonKey?: (context: C) => string | null
  readonly perform: (context: C) => void | Promise<void>
}

/** Actions as a menu shows them: what cannot be done just now says why, and a line stands before what destroys. */
export function toMenuItems<C>(actions: readonly MenuAction<C>[], context: C, t: Texts): (MenuItem | 'line')[] {
  const items = actions.map(({ id, labelKey, icon, shortcut, danger, reasonKey, perform }): MenuItem => {
    const reason = reasonKey?.(context) ?? null
    return {
      ...{ id, icon, shortcut, danger },
      label: t(labelKey),
      reason: reason === null ? undefined : t(reason),
      onChoose: () => void perform(context),
    }
  })
  const at = items.findIndex(item => item.danger)
  return at > 0 ? [...items.slice(0, at), 'line', ...items.slice(at)] : items
}
