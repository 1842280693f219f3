// The activity log.
import type { Screen } from '../stage.ts'
import { locateButton, makeEmptyScreen, makeFailedScreen } from '../steps.ts'

const LIST = /\/log\/?(\?|$)/

export const LOG: readonly Screen[] = [
  {
    name: 'log',
    steps: async stage => {
      await stage.open('/log')
      await stage.page
        .getByRole('table')
        .or(stage.page.getByRole('list', { name: 'Atividades' }))
        .first()
        .waitFor()
    },
  },
  {
    name: 'log-found',
    steps: async stage => {
      await stage.open('/log')
      await locateButton(stage, 'Sobre').click()
      await stage.page.getByRole('menu').getByText('Atendimentos', { exact: true }).click()
      await stage.page.getByText('Sobre: Atendimentos').waitFor()
    },
  },
  makeEmptyScreen('log-empty', { calls: LIST, rows: 'logs', path: '/log', text: 'Nada registrado ainda' }),
  makeFailedScreen('log-failed', { calls: LIST, path: '/log', text: 'O registro não carregou' }),
]
