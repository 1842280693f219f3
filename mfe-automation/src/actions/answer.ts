import type { QuickAnswer } from '@balcao/contract'
import type { LucideIcon } from 'lucide-react'
import type { Desk } from '../quick-answers/desk.ts'

/** One thing a person can do to a quick answer; rows and cards draw it. */
export interface AnswerAction {
  readonly id: string
  /** Accessible name with the shortcut in it, of the namespace `automation`. */
  readonly labelKey: string
  readonly icon: LucideIcon
  readonly perform: (answer: QuickAnswer, desk: Desk) => void
}
