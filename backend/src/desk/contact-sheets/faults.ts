// What is wrong with rows, in words: those of the screens, in the language of who asked.
import type { Language, SheetProblem } from '@balcao/contract'
import en from '@balcao/contract/texts/contact-sheets/en.json'
import es from '@balcao/contract/texts/contact-sheets/es.json'
import pt from '@balcao/contract/texts/contact-sheets/pt.json'

const WORDS = { pt, en, es }

/** Everything that is wrong with a row, in one cell. */
export function formatFaults(
  faults: readonly { readonly field: string; readonly code: SheetProblem }[],
  language: Language = 'pt',
): string {
  const labels: Readonly<Record<string, string>> = WORDS[language].column
  return faults.map(({ field, code }) => `${labels[field] ?? field}: ${problemText(code, language)}`).join('; ')
}

/** One thing that is wrong, as a part of a longer line. */
export function problemText(code: SheetProblem, language: Language = 'pt'): string {
  return WORDS[language].problem[code].replace(/\.$/, '')
}
