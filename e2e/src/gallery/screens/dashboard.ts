// The live counters.
import type { Screen } from '../stage.ts'
import { fail } from '../steps.ts'

export const DASHBOARD: readonly Screen[] = [
  {
    name: 'dashboard',
    steps: async stage => {
      await stage.open('/')
      await stage.page.getByText('Em atendimento').first().waitFor()
    },
  },
  {
    name: 'dashboard-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/dashboard\/stats/)
      await stage.open('/')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
]
