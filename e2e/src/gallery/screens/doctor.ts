// The doctor of the installation.
import type { Screen } from '../stage.ts'
import { mockFailure } from '../steps.ts'

export const DOCTOR: readonly Screen[] = [
  {
    name: 'doctor-installation',
    steps: async stage => {
      await stage.open('/doctor')
      await stage.page.getByText('Para a loja').waitFor()
      await stage.page.getByRole('button', { name: 'Para quem cuida do servidor' }).click()
      await stage.page.getByRole('button', { name: 'Banco de dados' }).click()
    },
  },
  {
    name: 'doctor-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, /\/doctor\/?(\?|$)/)
      await stage.open('/doctor')
      await stage.page.getByText('O diagnóstico não veio').waitFor()
    },
  },
]
