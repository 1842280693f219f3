import { useTexts } from '@balcao/ui/i18n'
import type { Item } from './items.ts'
import type { SettingsDesk } from './use-settings.ts'
import { describeLastChange } from './words.ts'

/** What every row of the page is drawn with. */
export interface RowProps {
  readonly item: Item
  readonly desk: SettingsDesk
  /** Words of the search. */
  readonly marked: readonly string[]
}

/** The words around a row's control. */
export function useRowWords({ item, desk, marked }: RowProps) {
  const t = useTexts('settings')
  const at = desk.savedAt(item.keys)
  return {
    name: t(`set.${item.id}.name`),
    hint: t(`set.${item.id}.hint`),
    since: describeLastChange(item.keys, desk, t),
    saved: at && t('savedAt', { time: at }),
    marked,
  }
}
