// The protocols.
import type { Screen } from '../stage.ts'
import { locateButton, makeEmptyScreen, makeFailedScreen, showPage, waitForDialog } from '../steps.ts'

const LIST = /\/protocolos\/?(\?|$)/

export const PROTOCOLS: readonly Screen[] = [
  { name: 'protocols', steps: showPage('/protocolos', 'Comprovante recebido') },
  {
    name: 'protocol-edit',
    steps: async stage => {
      await stage.open('/protocolos')
      await stage.page.getByText('Comprovante recebido').first().waitFor()
      if (stage.phone) {
        await locateButton(stage, /^Mais opções de/)
          .first()
          .click()
        await stage.page.getByRole('menuitem', { name: /^Editar os detalhes/ }).click()
      } else
        await locateButton(stage, /^Editar os detalhes/)
          .first()
          .click()
      await waitForDialog(stage)
    },
  },
  makeEmptyScreen('protocols-empty', {
    calls: LIST,
    rows: 'protocolos',
    path: '/protocolos',
    text: 'Nenhum protocolo ainda',
  }),
  makeFailedScreen('protocols-failed', { calls: LIST, path: '/protocolos', text: 'Os protocolos não carregaram' }),
]
