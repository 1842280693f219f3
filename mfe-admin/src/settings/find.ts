// The search over all settings, in ordinary words: those of the row, and others that people have for it.
import { foldText, parseSearchWords } from '@balcao/contract/kit/search'
import { getTexts, hasText } from '@balcao/ui/i18n'
import type { Item, SettingGroup } from './items.ts'

export interface SettingMatches {
  readonly words: readonly string[]
  /** The groups with the rows that fit. */
  readonly groups: readonly SettingGroup[]
  readonly count: number
}

/** The rows whose words hold all words of the search; all rows for an empty one. */
export function findSettings(groups: readonly SettingGroup[], search: string): SettingMatches {
  const words = parseSearchWords(search)
  const wanted = words.map(foldText)
  const found = groups.map(group => ({
    ...group,
    items: group.items.filter(item => {
      const text = foldText(getSearchText(item))
      return wanted.every(word => text.includes(word))
    }),
  }))
  return { words, groups: found, count: found.reduce((sum, { items }) => sum + items.length, 0) }
}

function getSearchText({ id, keys }: Item): string {
  const t = getTexts('settings')
  const words = [`set.${id}.name`, `set.${id}.hint`, `set.${id}.words`]
  return [...words.filter(key => hasText('settings', key)).map(key => t(key)), ...keys].join(' ')
}
