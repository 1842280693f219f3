// The queues.
import type { Screen } from '../stage.ts'
import { locateButton, makeEmptyScreen, makeFailedScreen, openForm, performRowAction, showPage } from '../steps.ts'

const LIST = /\/queue\/?(\?|$)/

export const QUEUES: readonly Screen[] = [
  { name: 'queues', steps: showPage('/Queues', 'Financeiro') },
  makeEmptyScreen('queues-empty', { calls: LIST, path: '/Queues', text: 'Nenhuma fila ainda' }),
  makeFailedScreen('queues-failed', { calls: LIST, path: '/Queues', text: 'As filas não carregaram' }),
  { name: 'queue-add', steps: openForm('/Queues', 'Adicionar fila') },
  {
    name: 'queue-edit',
    steps: async stage => {
      await stage.open('/Queues')
      await performRowAction(stage, 'Financeiro', 'Editar')
      await stage.page.getByText('Quem recebe na vez').waitFor()
    },
  },
  {
    name: 'queue-in-use',
    steps: async stage => {
      await stage.open('/Queues')
      await performRowAction(stage, 'Financeiro', 'Excluir')
      await locateButton(stage, 'Excluir fila').click()
      await stage.page.getByText('ainda tem atendimentos').waitFor()
    },
  },
]
