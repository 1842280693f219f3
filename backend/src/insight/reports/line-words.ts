// Lines about a ticket in the reader's language, as the conversation shows them; they are kept as a code with what it needs.
import { fillBraces, type Language, type Message } from '@balcao/contract'
import en from '@balcao/contract/texts/lines/en.json'
import es from '@balcao/contract/texts/lines/es.json'
import pt from '@balcao/contract/texts/lines/pt.json'

const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  pt: pt.system,
  en: en.system,
  es: es.system,
}

/** One without a code that we know stands as it was written. */
export function formatSystemLine({ system, body }: Pick<Message, 'system' | 'body'>, language: Language): string {
  const name = system?.code.split('.').at(-1) ?? ''
  const words = Object.hasOwn(WORDS[language], name) ? WORDS[language][name] : undefined
  return words === undefined ? body : fillBraces(words, system?.params ?? {})
}
