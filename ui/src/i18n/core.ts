// The texts of the product: one i18next for shell and remotes; each package adds its own namespace.

import { LANGUAGES, type Language } from '@balcao/contract/kit/language'
import i18next, { type FormatterModule } from 'i18next'
import { useCallback, useSyncExternalStore } from 'react'
import pt from '../../locales/pt.json'
import { remember } from '../browser/index.ts'

export { LANGUAGES, type Language }

/** A tree of texts as in `locales/pt.json`. */
export interface TextTree {
  readonly [key: string]: string | TextTree
}

/** The texts of a language, or how to fetch them when somebody chooses that language. */
export type TextSource = TextTree | (() => Promise<{ readonly default: TextTree }>)

/** Looks a key up: `t('row.waiting', { minutes: 6 })`. `count` chooses between `_one` and `_other`. */
export type Texts = (key: string, values?: Readonly<Record<string, unknown>>) => string

const STORED = 'balcao.language'
/** For how long a page waits for its texts, in milliseconds; then it is shown in Portuguese until they come. What failed is asked for again after as long. */
const PATIENCE = 3000
let again: ReturnType<typeof setTimeout> | undefined

interface LazyTexts {
  readonly namespace: string
  readonly fetch: () => Promise<{ readonly default: TextTree }>
}

const sources: Record<Language, LazyTexts[]> = { pt: [], en: [], es: [] }
/** Ends when all texts asked for up to now have come or failed. */
let arriving: Promise<unknown> = Promise.resolve()

/** In place of i18next's own way to write values: texts name none of its formats. */
const SHOWN: FormatterModule = {
  type: 'formatter',
  init: doNothing,
  add: doNothing,
  addCached: doNothing,
  format: formatValue,
}

// With `initAsync: false` it is done when the call returns.
void i18next.use(SHOWN).init({
  lng: readStoredLanguage(),
  // Portuguese is always there: it stands in for texts of another language that cannot be fetched.
  fallbackLng: ['en', 'pt'],
  resources: {},
  ns: ['ui'],
  defaultNS: 'ui',
  interpolation: { escapeValue: false, alwaysFormat: true },
  initAsync: false,
})
/** Texts without values, worked out: a list of rows asks for the same ones at every change. */
const plain = new Map<string, string>()
/** The lookups handed out: others once the texts are others, so that what shows them is drawn anew. */
const lookups = new Map<string, Texts>()
i18next.on('languageChanged', forgetTexts)
i18next.store.on('added', forgetTexts)

markPage()
addTexts('ui', {
  pt,
  en: () => import(/* webpackChunkName: "lazy-en" */ '../../locales/en.json'),
  es: () => import(/* webpackChunkName: "lazy-es" */ '../../locales/es.json'),
})

/**
 * Adds a package's texts under its namespace; call it once where the remote starts. English and Spanish are best given
 * as functions: they are then fetched only when somebody chooses them.
 *
 * @example addTexts('tickets', { pt, en: () => import('../locales/en.json'), es: () => import('../locales/es.json') })
 */
export function addTexts(namespace: string, texts: Readonly<Record<Language, TextSource>>) {
  for (const language of LANGUAGES) {
    const source = texts[language]
    if (typeof source === 'function') sources[language].push({ namespace, fetch: source })
    else i18next.addResourceBundle(language, namespace, source, true, true)
  }
  arriving = Promise.all([arriving, fetchTexts(getLanguage())])
}

/**
 * Gives a part that was loaded late back when its texts are there too, so that nobody sees it in Portuguese first; never
 * fails, and waits for three seconds at the most.
 *
 * @example lazy(() => import('./Page.tsx').then(withTexts))
 */
export async function withTexts<Part>(part: Part): Promise<Part> {
  if (getLanguage() === 'pt') return part
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([arriving, new Promise(resolve => (timer = setTimeout(resolve, PATIENCE)))])
  clearTimeout(timer)
  return part
}

/**
 * The texts of one namespace; the component is drawn again when the language changes.
 *
 * @example const t = useTexts('tickets'); return <h1>{t('title')}</h1>
 */
export function useTexts(namespace: string): Texts {
  return useSyncExternalStore(
    subscribeToTexts,
    useCallback(() => getTexts(namespace), [namespace]),
  )
}

/** The texts of one namespace outside components, in the language of the moment. */
export function getTexts(namespace: string): Texts {
  const known = lookups.get(namespace)
  if (known) return known
  const translate: Texts = (key, values) =>
    values ? String(i18next.t(key, { ns: namespace, ...values })) : lookUpText(namespace, key)
  lookups.set(namespace, translate)
  return translate
}

function forgetTexts() {
  plain.clear()
  lookups.clear()
}

function subscribeToTexts(changed: () => void) {
  i18next.on('languageChanged', changed)
  i18next.store.on('added', changed)
  return () => {
    i18next.off('languageChanged', changed)
    i18next.store.off('added', changed)
  }
}

function lookUpText(namespace: string, key: string): string {
  const known = plain.get(`${namespace}:${key}`)
  if (known !== undefined) return known
  const text = String(i18next.t(key, { ns: namespace }))
  plain.set(`${namespace}:${key}`, text)
  return text
}

/** Whether a key has a text (in the chosen language or the fallback). */
export function hasText(namespace: string, key: string) {
  return i18next.exists(key, { ns: namespace })
}

/** A number as the reader writes it: `1.206`, `1,206`. */
export function formatNumber(value: number, language: string = getLanguage()): string {
  return value.toLocaleString(language)
}

/** What a text is filled in with: numbers as people write them, but for the number that is a thing's name. */
function formatValue<V>(
  value: V,
  _?: string,
  language?: string,
  { interpolationkey }: InterpolationOptions = {},
): V | string {
  return typeof value === 'number' && interpolationkey !== 'id' ? formatNumber(value, language) : value
}

function doNothing() {}

interface InterpolationOptions {
  readonly [name: string]: unknown
  readonly interpolationkey?: string
}

/** The language in use. */
export function getLanguage(): Language {
  return LANGUAGES.find(language => language === i18next.language) ?? 'pt'
}

/** Changes the language of the whole page and remembers it on this device. */
export async function changeLanguage(language: Language) {
  remember(STORED, language)
  await fetchTexts(language)
  await i18next.changeLanguage(language)
  markPage()
}

/** Fetches what is still missing of a language; what does not arrive is tried again as long as it is the one in use. */
async function fetchTexts(language: Language) {
  const missing = sources[language].splice(0)
  await Promise.all(
    missing.map(async source => {
      try {
        i18next.addResourceBundle(language, source.namespace, (await source.fetch()).default, true, true)
      } catch {
        sources[language].push(source)
        clearTimeout(again)
        again = setTimeout(() => void fetchTexts(getLanguage()), PATIENCE)
      }
    }),
  )
}

function readStoredLanguage(): Language {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(STORED)
  return LANGUAGES.find(language => language === stored) ?? 'pt'
}

function markPage() {
  if (typeof document !== 'undefined') document.documentElement.lang = getLanguage() === 'pt' ? 'pt-BR' : getLanguage()
}
