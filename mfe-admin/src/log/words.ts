// The log in words: what an entry says, and values as people say them.
import type { LogRow, User } from '@balcao/contract'
import { foldText, parseSearchWords } from '@balcao/contract/kit/search'
import { isLogAction, LOG_SENTENCES } from '@balcao/contract/log/log'
import { isSettingKey, SETTINGS } from '@balcao/contract/settings/settings'
import { getTexts, hasText } from '@balcao/ui/i18n'
import { describeValue, formatSettingName } from '../settings/words.ts'

/** The entry in the reader's language; what has no action keeps the words it was written with. */
export function describeEntry({ action, params, descricao }: Pick<LogRow, 'action' | 'params' | 'descricao'>): string {
  if (!action || !hasText('log', `log.${action}`)) return descricao
  return getTexts('log')(`log.${action}`, {
    ...params,
    ...(isSetting(action) && { key: describeField(action, params?.key) }),
  })
}

/** What a search means in the reader's language, which the server does not have: actions by their sentence, settings by their name. */
export function interpretSearch(search: string): { readonly actions?: string; readonly settings?: string } {
  const words = parseSearchWords(search).map(foldText)
  const says = (text: string) => words.every(word => foldText(text).includes(word))
  const sentences = Object.keys(LOG_SENTENCES).filter(isLogAction)
  const actions = sentences.filter(action => says(describeEntry({ action, params: null, descricao: '' })))
  const keys = Object.keys(SETTINGS).filter(isSettingKey)
  const settings = actions.includes('setting.update')
    ? []
    : keys.filter(key => says(describeEntry({ action: 'setting.update', params: { key }, descricao: '' })))
  return {
    ...(actions.length > 0 && { actions: actions.join() }),
    ...(settings.length > 0 && { settings: settings.join() }),
  }
}

/** What a value of an entry is called: a setting as its page calls it. */
export function describeField(action: string | null, field: unknown): string {
  const name = String(field)
  if (isSetting(action)) return formatSettingName(name, getTexts('settings'))
  return hasText('log-page', `field.${name}`) ? getTexts('log-page')(`field.${name}`) : name
}

/** A value: a setting's as its page says it, a person by name. */
export function describeFieldValue(
  action: string | null,
  field: string,
  value: unknown,
  people: readonly User[],
): string {
  const t = getTexts('log-page')
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text === '') return t('nothing')
  if (isPersonField(action, field)) return people.find(({ id }) => String(id) === text)?.name ?? text
  if (isSetting(action) && isSettingKey(field)) return describeValue(field, text, getTexts('settings')) ?? text
  return (typeof value === 'boolean' || field === 'profile') && hasText('log-page', `value.${text}`)
    ? t(`value.${text}`)
    : text
}

/** Whether the value is somebody's id. */
export function isPersonField(action: string | null, field: string): boolean {
  return isSetting(action) ? isSettingKey(field) && SETTINGS[field].kind === 'person' : PEOPLE.includes(field)
}

const PEOPLE = ['userId', 'toUserId']

function isSetting(action: string | null): boolean {
  return action === 'setting.update'
}
