// A dry run in words: how many conversations appear or disappear, for how many people.
import type { SettingPreview } from '@balcao/contract'
import type { SettingKey } from '@balcao/contract/settings/settings'
import type { Texts } from '@balcao/ui/i18n'

const MOST_SHOWN = 12

/** 'Ao ligar: 14 atendimentos deixam de aparecer para 3 pessoas'; null while it is counted. */
export function describePreview(preview: SettingPreview | null, on: boolean, t: Texts, key?: SettingKey): string {
  if (!preview) return t(on ? 'dry.on' : 'dry.off', { said: t('dry.counting') })
  const parts = (['disappear', 'appear'] as const).flatMap(way => {
    const tickets = preview.tickets[way]
    const people = preview.people.filter(person => person[way] > 0).length
    return tickets > 0 ? [t(`dry.${way}`, { count: tickets, people: t('dry.people', { count: people }) })] : []
  })
  // What is counted is live.
  const effect = parts.length > 0 ? parts.join('; ') : t(key === 'userClosedQueues' ? 'dry.onlyClosed' : 'dry.nothing')
  return t(on ? 'dry.on' : 'dry.off', { said: effect })
}

/** Those who are named, and how many more there are. */
export function limitPeople({ people }: SettingPreview) {
  return { shown: people.slice(0, MOST_SHOWN), more: Math.max(0, people.length - MOST_SHOWN) }
}
