// The tags.
import type { Screen } from '../stage.ts'
import { answer, button, dialog, fail } from '../steps.ts'
import { rowAction } from './queues.ts'

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
      await answer(stage, LIST, () => [])
      await stage.open('/tags')
      await stage.page.getByText('Nenhuma tag ainda').waitFor()
    },
  },
  {
    name: 'tags-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, LIST)
      await stage.open('/tags')
      await stage.page.getByText('As tags não carregaram').waitFor()
    },
  },
  {
    name: 'tag-add',
    steps: async stage => {
      await stage.open('/tags')
      await button(stage, 'Adicionar tag').first().click()
      await dialog(stage)
    },
  },
  {
    name: 'tag-edit',
    steps: async stage => {
      await stage.open('/tags')
      await rowAction(stage, 'Recorrente', 'Editar')
      await dialog(stage)
    },
  },
]
