// All emojis with their names in the person's language, fetched when the picker first opens.

import { foldText } from '@balcao/contract/kit/search'
import { remember } from '@balcao/ui/browser'
import { getLanguage, type Language } from '@balcao/ui/i18n'
import { toPersonalKey } from '@balcao/ui/session'

export interface Emoji {
  readonly emoji: string
  readonly name: string
  /** Name and tags without accents and case. */
  readonly found: string
  readonly group: number
}

interface EmojiRecord {
  readonly unicode: string
  readonly label: string
  readonly tags?: readonly string[]
  readonly group?: number
  readonly order?: number
}

const SOURCES: Record<Language, () => Promise<{ readonly default: readonly EmojiRecord[] }>> = {
  pt: () => import('emojibase-data/pt/compact.json'),
  en: () => import('emojibase-data/en/compact.json'),
  es: () => import('emojibase-data/es/compact.json'),
}
/** Skin tones and hair alone are no emojis of their own. */
const COMPONENTS = 2

export async function loadEmojis(): Promise<readonly Emoji[]> {
  const { default: emojis } = await SOURCES[getLanguage()]()
  return emojis
    .filter(({ group }) => group !== undefined && group !== COMPONENTS)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ unicode, label, tags = [], group = 0 }) => ({
      emoji: normalizeEmoji(unicode),
      name: label,
      found: foldText([label, ...tags].join(' ')),
      group,
    }))
}

/** As WhatsApp writes it: the sign that asks for a colourful picture only where it is needed. */
function normalizeEmoji(unicode: string): string {
  const bare = unicode.replaceAll('\uFE0F', '')
  return /^\p{RGI_Emoji}$/v.test(bare) ? bare : unicode
}

/** Those whose name or tags have a word beginning with each word searched for. */
export function findEmojis(all: readonly Emoji[], search: string): readonly Emoji[] {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return all
  return all.filter(({ found }) => words.every(word => ` ${found}`.includes(` ${word}`)))
}

const RECENT = 'balcao.emojis'
const MOST_RECENT = 18
const FIRST = '👍 🙏 😊 😉 👏 🤝 ✅ ❤️ 😂 🎉 📦 🚚 📅 ⏰ 💳 🧾 📞 📍'.split(' ')

/** What the person chose last on this device, filled up with what is used at work. */
export function listRecentEmojis(): readonly string[] {
  const stored = (localStorage.getItem(toPersonalKey(RECENT)) ?? '').split(' ').filter(Boolean)
  return [...new Set([...stored, ...FIRST])].slice(0, MOST_RECENT)
}

export function keepRecent(emoji: string) {
  remember(toPersonalKey(RECENT), [...new Set([emoji, ...listRecentEmojis()])].slice(0, MOST_RECENT).join(' '))
}
