// What is wrong with rows of people, in words: those of `contract/texts`, in the language of who asked. Pure.
import type { Language } from '@balcao/contract'
import en from '@balcao/contract/texts/user-sheets/en.json'
import es from '@balcao/contract/texts/user-sheets/es.json'
import pt from '@balcao/contract/texts/user-sheets/pt.json'

interface Words {
  readonly column: Readonly<Record<string, string>>
  /** By what the answer says: a sentence of the specification, or a code. */
  readonly problem: Readonly<Record<string, string>>
}

const WORDS: Readonly<Record<Language, Words>> = { pt, en, es }

/** One thing that is wrong. */
export function describeFault(error: string, language: Language): string {
  return WORDS[language].problem[error] ?? error
}

/** The same with the name of its column. */
export function formatFault(
  { field, error }: { readonly field: string; readonly error: string },
  language: Language,
): string {
  return `${WORDS[language].column[field] ?? field}: ${describeFault(error, language)}`
}
