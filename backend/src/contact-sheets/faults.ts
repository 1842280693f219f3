// What is wrong with rows, in words.
import { SHEET_PROBLEMS, type SheetProblem } from '@balcao/contract'

/** Everything that is wrong with a row, in one cell. */
export function faultsText(faults: readonly { readonly field: string; readonly code: SheetProblem }[]): string {
  return faults.map(({ field, code }) => `${field}: ${SHEET_PROBLEMS[code]}`).join('; ')
}
