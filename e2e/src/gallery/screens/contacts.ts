// The contacts.
import type { Screen, ScreenContext } from '../stage.ts'
import {
  LUCIA,
  locateButton,
  makeEmptyScreen,
  makeFailedScreen,
  openForm,
  openRowForm,
  performRowAction,
  waitForDialog,
} from '../steps.ts'

const LIST = /\/contacts\/?(\?|$)/

export const CONTACTS: readonly Screen[] = [
  { name: 'contacts', steps: open },
  makeEmptyScreen('contacts-empty', { calls: LIST, rows: 'contacts', path: '/contacts', text: 'Nenhum contato ainda' }),
  makeFailedScreen('contacts-failed', { calls: LIST, path: '/contacts', text: 'Os contatos não carregaram' }),
  { name: 'contact-add', steps: openForm('/contacts', 'Adicionar contato') },
  { name: 'contact-change', steps: openRowForm('/contacts', LUCIA, 'Editar') },
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
  { name: 'contact-remove', steps: openRowForm('/contacts', LUCIA, 'Apagar') },
]

async function open(stage: ScreenContext) {
  await stage.open('/contacts')
  await stage.page.getByText(LUCIA).first().waitFor()
}
