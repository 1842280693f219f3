// The activity log.
import type { Screen } from '../stage.ts'
import { locateButton, mockAnswer, mockFailure } from '../steps.ts'

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
    fresh: true,
    steps: async stage => {
      await stage.open('/log')
      await locateButton(stage, 'Sobre').click()
      await stage.page.getByRole('menu').getByText('Atendimentos', { exact: true }).click()
      await stage.page.getByText('Sobre: Atendimentos').waitFor()
    },
  },
  {
    name: 'log-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, LIST, () => ({ logs: [], count: 0, hasMore: false, nextCursor: null }))
      await stage.open('/log')
      await stage.page.getByText('Nada registrado ainda').waitFor()
    },
  },
  {
    name: 'log-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, LIST)
      await stage.open('/log')
      await stage.page.getByText('O registro não carregou').waitFor()
    },
  },
]
