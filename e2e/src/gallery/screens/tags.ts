// The tags.
import type { Screen } from '../stage.ts'
import { locateButton, mockAnswer, mockFailure, waitForDialog } from '../steps.ts'
import { performRowAction } from './queues.ts'

const LIST = /\/tag\/?(\?|$)/

export const TAGS: readonly Screen[] = [
  {
    name: 'tags',
    steps: async stage => {
      await stage.open('/tags')
      await stage.page.getByText('Recorrente').first().waitFor()
    },
  },
  {
    name: 'tags-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, LIST, () => [])
      await stage.open('/tags')
      await stage.page.getByText('Nenhuma tag ainda').waitFor()
    },
  },
  {
    name: 'tags-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, LIST)
      await stage.open('/tags')
      await stage.page.getByText('As tags não carregaram').waitFor()
    },
  },
  {
    name: 'tag-add',
    steps: async stage => {
      await stage.open('/tags')
      await locateButton(stage, 'Adicionar tag').first().click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'tag-edit',
    steps: async stage => {
      await stage.open('/tags')
      await performRowAction(stage, 'Recorrente', 'Editar')
      await waitForDialog(stage)
    },
  },
]
