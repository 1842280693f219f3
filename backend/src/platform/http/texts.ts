// What the server says to people: the sentences of `contract/texts`, in the language of who asks.
import { type ErrorText, type FaultText, LANGUAGES, type Language } from '@balcao/contract'
import en from '@balcao/contract/texts/errors/en.json'
import es from '@balcao/contract/texts/errors/es.json'
import pt from '@balcao/contract/texts/errors/pt.json'
import faultsEn from '@balcao/contract/texts/faults/en.json'
import faultsEs from '@balcao/contract/texts/faults/es.json'
import faultsPt from '@balcao/contract/texts/faults/pt.json'

export const ERROR_TEXTS: Readonly<Record<Language, Readonly<Record<ErrorText, string>>>> = { pt, en, es }

type FaultTexts = Readonly<Record<string, Readonly<Record<string, string>>>>
const FAULT_TEXTS: Readonly<Record<Language, FaultTexts>> = { pt: faultsPt, en: faultsEn, es: faultsEs }

/** The sentence of a field that is refused, its values still in braces. */
export function findFaultText(text: FaultText, language: Language): string {
  const [subject = '', code = ''] = text.split('.')
  return FAULT_TEXTS[language][subject]?.[code] ?? text
}

/** The first language of ours that `Accept-Language` names; Portuguese where it names none. Our clients send the one the person chose. */
export function readLanguage({ headers }: Request): Language {
  const named = headers.get('accept-language')?.toLowerCase().split(',') ?? []
  for (const tag of named) {
    const known = LANGUAGES.find(language => new RegExp(`^\\s*${language}(?![a-z])`).test(tag))
    if (known) return known
  }
  return 'pt'
}
