// Texts in the reader's language: those of a command, then those all commands share, each in three languages.
import { fillBraces } from '@balcao/contract/kit/braces'
import { LANGUAGES, type Language } from '@balcao/contract/kit/language'
import en from '../../locales/en.json'
import es from '../../locales/es.json'
import pt from '../../locales/pt.json'
import { toSafeLine } from './text.ts'

export { LANGUAGES, type Language }

/** A tree of texts as in `locales/pt.json`. */
export interface LocaleTree {
  readonly [key: string]: string | LocaleTree
}
export type LocalTexts = Readonly<Record<Language, LocaleTree>>

/** Looks a key up: `t('rows', { count: 6 })`. `count` chooses between `_one` and `_other`; values are made harmless for a terminal. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string

const SHARED: LocalTexts = { pt, en, es }

/** What the environment says of the reader's language; Portuguese unless it names another one of ours. */
export function detectLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return LANGUAGES.find(language => new RegExp(`^${language}(?![a-z])`, 'i').test(locale)) ?? 'pt'
}

/** The texts of a command. A key that nobody knows is shown as it is. */
export function createTexts(language: Language, ...own: readonly LocalTexts[]): Translate {
  const trees = [...own, SHARED].map(texts => texts[language])
  const rules = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const { count } = values
    const keys = typeof count === 'number' ? [`${key}_${rules.select(count)}`, `${key}_other`, key] : [key]
    const text = trees.flatMap(tree => keys.flatMap(each => findText(tree, each) ?? []))[0] ?? key
    return fillBraces(text, formatValues(values, language))
  }
}

/** The text at a path, if there is one. */
export function findText(tree: LocaleTree, key: string): string | undefined {
  let at: string | LocaleTree | undefined = tree
  for (const part of key.split('.')) at = typeof at === 'object' && Object.hasOwn(at, part) ? at[part] : undefined
  return typeof at === 'string' ? at : undefined
}

function formatValues(values: Readonly<Record<string, string | number>>, language: Language): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' && name !== 'id' ? value.toLocaleString(language) : toSafeLine(String(value)),
    ]),
  )
}
