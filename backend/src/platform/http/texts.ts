// What the server says to people: the sentences of `contract/texts`, in the language of who asks.
import { type ErrorText, LANGUAGES, type Language } from '@balcao/contract'
import en from '@balcao/contract/texts/errors/en.json'
import es from '@balcao/contract/texts/errors/es.json'
import pt from '@balcao/contract/texts/errors/pt.json'

export const ERROR_TEXTS: Readonly<Record<Language, Readonly<Record<ErrorText, string>>>> = { pt, en, es }

/** The first language of ours that `Accept-Language` names; Portuguese where it names none. Our clients send the one the person chose. */
export function readLanguage({ headers }: Request): Language {
  const named = headers.get('accept-language')?.toLowerCase().split(',') ?? []
  for (const tag of named) {
    const known = LANGUAGES.find(language => new RegExp(`^\\s*${language}(?![a-z])`).test(tag))
    if (known) return known
  }
  return 'pt'
}
