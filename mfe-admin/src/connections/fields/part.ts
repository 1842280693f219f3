import { hasText, textsOf } from '@balcao/ui/i18n'
import type { Field, Fields, Problems } from '../form.ts'

/** What each part of the form gets. */
export interface FormPart {
  readonly fields: Fields
  readonly change: (part: Partial<Fields>) => void
  readonly problems: Problems
  readonly editing: boolean
}

/** The sentence of a problem: the specification's own text, ours, the catalogue's, or the server's words. */
export function problemText(problems: Problems, field: Field): string | null {
  const problem = problems[field]
  if (!problem) return null
  if (hasText('admin', `problem.${problem}`)) return textsOf('admin')(`problem.${problem}`)
  if (hasText('admin', problem)) return textsOf('admin')(problem)
  return hasText('ui', `error.${problem}`) ? textsOf('ui')(`error.${problem}`) : problem
}
