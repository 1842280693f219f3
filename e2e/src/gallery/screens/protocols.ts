// The protocols.
import type { Screen } from '../stage.ts'
import { locateButton, mockAnswer, mockFailure, waitForDialog } from '../steps.ts'

const LIST = /\/protocolos\/?(\?|$)/

export const PROTOCOLS: readonly Screen[] = [
  {
    name: 'protocols',
    steps: async stage => {
      await stage.open('/protocolos')
      await stage.page.getByText('Comprovante recebido').first().waitFor()
    },
  },
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
  {
    name: 'protocols-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, LIST, () => ({ protocolos: [], count: 0, hasMore: false, nextCursor: null }))
      await stage.open('/protocolos')
      await stage.page.getByText('Nenhum protocolo ainda').waitFor()
    },
  },
  {
    name: 'protocols-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, LIST)
      await stage.open('/protocolos')
      await stage.page.getByText('Os protocolos não carregaram').waitFor()
    },
  },
]
