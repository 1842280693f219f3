// What a row says of itself: values in words, who changed it last, and the default where it differs.
import {
  DEFAULTS,
  parseKnownSettings,
  SETTINGS,
  type SettingKey,
  toSettingTexts,
} from '@balcao/contract/settings/settings'
import { formatDate, hasText, type Texts } from '@balcao/ui/i18n'
import { GROUPS } from './items.ts'
import { getFirstName, type SettingsDesk } from './use-settings.ts'

const USUAL: ReadonlyMap<string, string> = new Map(toSettingTexts(DEFAULTS))
const SECONDS: ReadonlySet<SettingKey> = new Set(['greetingInterval'])

const ITEM_OF: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap(({ items }) => items.flatMap(({ id, keys }) => keys.map(key => [key, id] as const))),
)

/** A setting by itself, away from its row: 'Agendador', 'Almoço (fim)', 'Dias de atendimento (Sáb)'; an unknown key as it is. */
export function formatSettingName(key: string, t: Texts): string {
  const id = ITEM_OF.get(key)
  if (id === undefined) return key
  const part = key === id ? undefined : [`part.${key}`, `day.${key}`].find(name => hasText('settings', name))
  return part ? `${t(`set.${id}.name`)} (${t(part)})` : t(`set.${id}.name`)
}

/** A value as people say it: 'ligado', '30 minutos', '12:00'; null for what is too long to say. */
export function describeValue(
  key: SettingKey,
  text: string,
  t: Texts,
  length: 'span' | 'short' = 'span',
): string | null {
  const { kind } = SETTINGS[key]
  if (hasText('settings', `value.${key}.${text}`)) return t(`value.${key}.${text}`)
  if (kind === 'toggle') return t(parseKnownSettings({ [key]: text })[key] ? 'on' : 'off')
  if (kind === 'option') return formatTimeSpan(SECONDS.has(key) ? Number(text) : Number(text) * 60, t, length)
  return kind === 'time' || kind === 'number' || kind === 'timezone' ? text : null
}

/** 'Marina mudou em 03/11; o padrão é desligado.' */
export function describeLastChange(
  keys: readonly SettingKey[],
  desk: Pick<SettingsDesk, 'row' | 'text'>,
  t: Texts,
): string | undefined {
  const rows = keys.flatMap(key => desk.row(key) ?? [])
  const newest = rows
    .filter(row => row.changedAt)
    .sort((one, other) => String(other.changedAt).localeCompare(String(one.changedAt)))[0]
  const name = newest && getFirstName(newest)
  const when = newest?.changedAt && { date: formatShortDate(newest.changedAt) }
  const author = when && (name ? t('since', { name, ...when }) : t('sinceThen', when))
  const [key, ...others] = keys
  const standard = key && others.length === 0 ? USUAL.get(key) : undefined
  const differs = key && standard !== undefined && desk.text(key) !== standard
  const usual = differs ? describeValue(key, standard, t) : null
  const description =
    usual === null
      ? author
      : author
        ? `${author}; ${t('default.is', { value: usual })}`
        : t('default.only', { value: usual })
  return description ? `${description}.` : undefined
}

/** A day of this year without it. */
function formatShortDate(instant: string): string {
  const [day, today] = [formatDate(instant), formatDate(new Date())]
  return day.slice(6) === today.slice(6) ? day.slice(0, 5) : day
}

/** Seconds in the largest unit that they are whole in; `short` beside a switch. */
export function formatTimeSpan(seconds: number, t: Texts, kind: 'span' | 'short' = 'span'): string {
  const [size, unit] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'seconds']
  return t(`${kind}.${unit}`, { count: seconds / size })
}

const UNITS = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
] as const
