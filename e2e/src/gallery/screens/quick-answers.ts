// The quick answers.
import type { Screen } from '../stage.ts'
import { locateButton, mockFailure, waitForDialog } from '../steps.ts'

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
      await locateButton(stage, /^(Nova|Adicionar)/)
        .first()
        .click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'quick-answers-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, /\/quickAnswers\/?(\?|$)/)
      await stage.open('/quickAnswers')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
]
