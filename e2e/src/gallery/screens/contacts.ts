// The contacts.
import type { Screen, ScreenContext } from '../stage.ts'
import { LUCIA, locateButton, mockAnswer, mockFailure, waitForDialog } from '../steps.ts'
import { performRowAction } from './queues.ts'

const LIST = /\/contacts\/?(\?|$)/

export const CONTACTS: readonly Screen[] = [
  { name: 'contacts', steps: open },
  {
    name: 'contacts-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, LIST, () => ({ contacts: [], count: 0, hasMore: false, nextCursor: null }))
      await stage.open('/contacts')
      await stage.page.getByText('Nenhum contato ainda').waitFor()
    },
  },
  {
    name: 'contacts-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, LIST)
      await stage.open('/contacts')
      await stage.page.getByText('Os contatos não carregaram').waitFor()
    },
  },
  {
    name: 'contact-add',
    steps: async stage => {
      await open(stage)
      await locateButton(stage, 'Adicionar contato').first().click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'contact-change',
    steps: async stage => {
      await open(stage)
      await performRowAction(stage, LUCIA, 'Editar')
      await waitForDialog(stage)
    },
  },
  {
    name: 'contact-panel',
    steps: async stage => {
      await open(stage)
      await performRowAction(stage, LUCIA, 'Ver')
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
      await performRowAction(stage, LUCIA, 'Ver')
      await locateButton(stage, 'Unir').click()
      const merging = await waitForDialog(stage)
      await merging.getByRole('combobox', { name: 'Outro contato' }).fill('Estrela')
      await merging.getByRole('option').first().click()
      await merging.getByText('fica', { exact: true }).waitFor()
    },
  },
  {
    name: 'contact-remove',
    steps: async stage => {
      await open(stage)
      await performRowAction(stage, LUCIA, 'Apagar')
      await waitForDialog(stage)
    },
  },
]

async function open(stage: ScreenContext) {
  await stage.open('/contacts')
  await stage.page.getByText(LUCIA).first().waitFor()
}
