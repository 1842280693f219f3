// The doctor of the installation.
import type { Screen } from '../stage.ts'
import { makeFailedScreen } from '../steps.ts'

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
  makeFailedScreen('doctor-failed', { calls: /\/doctor\/?(\?|$)/, path: '/doctor', text: 'O diagnóstico não veio' }),
]
