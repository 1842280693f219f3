// The contacts.
import type { Screen, Stage } from '../stage.ts'
import { answer, button, dialog, fail, LUCIA } from '../steps.ts'
import { rowAction } from './queues.ts'

const LIST = /\/contacts\/?(\?|$)/

export const CONTACTS: readonly Screen[] = [
  { name: 'contacts', steps: open },
  {
    name: 'contacts-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, LIST, () => ({ contacts: [], count: 0, hasMore: false, nextCursor: null }))
      await stage.open('/contacts')
      await stage.page.getByText('Nenhum contato ainda').waitFor()
    },
  },
  {
    name: 'contacts-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, LIST)
      await stage.open('/contacts')
      await stage.page.getByText('Os contatos não carregaram').waitFor()
    },
  },
  {
    name: 'contact-add',
    steps: async stage => {
      await open(stage)
      await button(stage, 'Adicionar contato').first().click()
      await dialog(stage)
    },
  },
  {
    name: 'contact-change',
    steps: async stage => {
      await open(stage)
      await rowAction(stage, LUCIA, 'Editar')
      await dialog(stage)
    },
  },
  {
    name: 'contact-panel',
    steps: async stage => {
      await open(stage)
      await rowAction(stage, LUCIA, 'Ver')
      await stage.page.getByText('Tudo o que aconteceu').waitFor()
      await stage.page
        .getByText('Contato criado')
        .or(stage.page.getByText(/Atendimento nº/))
        .first()
        .waitFor()
    },
  },
  {
    name: 'contact-merge',
    steps: async stage => {
      await open(stage)
      await rowAction(stage, LUCIA, 'Ver')
      await button(stage, 'Unir').click()
      const merging = await dialog(stage)
      await merging.getByRole('combobox', { name: 'Outro contato' }).fill('Estrela')
      await merging.getByRole('option').first().click()
      await merging.getByText('fica', { exact: true }).waitFor()
    },
  },
  {
    name: 'contact-remove',
    steps: async stage => {
      await open(stage)
      await rowAction(stage, LUCIA, 'Apagar')
      await dialog(stage)
    },
  },
]

async function open(stage: Stage) {
  await stage.open('/contacts')
  await stage.page.getByText(LUCIA).first().waitFor()
}
