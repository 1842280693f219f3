// The quick answers.
import type { Screen } from '../stage.ts'
import { button, dialog, fail } from '../steps.ts'

export const QUICK_ANSWERS: readonly Screen[] = [
  {
    name: 'quick-answers',
    steps: async stage => {
      await stage.open('/quickAnswers')
      await stage.page.getByText('boleto-prazo').first().waitFor()
    },
  },
  {
    name: 'quick-answer-add',
    steps: async stage => {
      await stage.open('/quickAnswers')
      await button(stage, /^(Nova|Adicionar)/)
        .first()
        .click()
      await dialog(stage)
    },
  },
  {
    name: 'quick-answers-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/quickAnswers\/?(\?|$)/)
      await stage.open('/quickAnswers')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
]
