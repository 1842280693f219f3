// What is wrong with rows of people, in words: those of `contract/texts`, in the language of who asked. Pure.
import type { FaultText, Language } from '@balcao/contract'
import en from '@balcao/contract/texts/user-sheets/en.json'
import es from '@balcao/contract/texts/user-sheets/es.json'
import pt from '@balcao/contract/texts/user-sheets/pt.json'
import { findFaultText } from '../../platform/http/texts.ts'

/** What only a sheet says. */
type SheetProblem = keyof (typeof pt)['problem']
/** What can be wrong with a cell: the faults of every form, and those of a sheet. */
export type UserCellFault = FaultText | SheetProblem

const WORDS = { pt, en, es }

/** One thing that is wrong, as a part of a longer line. */
export function describeFault(error: UserCellFault, language: Language): string {
  return isSheetProblem(error) ? WORDS[language].problem[error] : findFaultText(error, language).replace(/\.$/, '')
}

/** The same with the name of its column. */
export function formatFault(
  { field, error }: { readonly field: string; readonly error: UserCellFault },
  language: Language,
): string {
  const labels: Readonly<Record<string, string>> = WORDS[language].column
  return `${labels[field] ?? field}: ${describeFault(error, language)}`
}

function isSheetProblem(error: UserCellFault): error is SheetProblem {
  return error in pt.problem
}
