// The quick answers.
import type { Screen } from '../stage.ts'
import { makeFailedScreen, openForm, showPage } from '../steps.ts'

export const QUICK_ANSWERS: readonly Screen[] = [
  { name: 'quick-answers', steps: showPage('/quickAnswers', 'boleto-prazo') },
  { name: 'quick-answer-add', steps: openForm('/quickAnswers', /^(Nova|Adicionar)/) },
  makeFailedScreen('quick-answers-failed', { calls: /\/quickAnswers\/?(\?|$)/, path: '/quickAnswers' }),
]
