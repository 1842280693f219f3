import { Pencil } from 'lucide-react'
import type { AnswerAction } from './answer.ts'

/** Opens the form of a quick answer. */
export const edit: AnswerAction = {
  id: 'edit',
  labelKey: 'editOf',
  icon: Pencil,
  perform: (answer, desk) => desk.open({ kind: 'edit', answer }),
}
