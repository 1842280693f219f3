import { Trash2 } from 'lucide-react'
import type { AnswerAction } from './answer.ts'

/** Asks, then deletes. */
export const remove: AnswerAction = {
  id: 'remove',
  labelKey: 'removeOf',
  icon: Trash2,
  perform: (answer, desk) => desk.open({ kind: 'remove', answer }),
}
