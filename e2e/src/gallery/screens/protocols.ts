// The protocols.
import type { Screen } from '../stage.ts'
import { answer, button, dialog, fail } from '../steps.ts'

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
        await button(stage, /^Mais opções de/)
          .first()
          .click()
        await stage.page.getByRole('menuitem', { name: /^Editar os detalhes/ }).click()
      } else
        await button(stage, /^Editar os detalhes/)
          .first()
          .click()
      await dialog(stage)
    },
  },
  {
    name: 'protocols-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, LIST, () => ({ protocolos: [], count: 0, hasMore: false, nextCursor: null }))
      await stage.open('/protocolos')
      await stage.page.getByText('Nenhum protocolo ainda').waitFor()
    },
  },
  {
    name: 'protocols-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, LIST)
      await stage.open('/protocolos')
      await stage.page.getByText('Os protocolos não carregaram').waitFor()
    },
  },
]
