// The connections to WhatsApp.
import type { Screen } from '../stage.ts'
import { answer, button, dialog, fail } from '../steps.ts'

export const CONNECTIONS: readonly Screen[] = [
  {
    name: 'connections',
    steps: async stage => {
      await stage.open('/connections')
      await stage.page.getByText('Loja Centro').first().waitFor()
    },
  },
  {
    name: 'connections-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, /\/whatsapp(\/)?(\?|$)/, () => [])
      await stage.open('/connections')
      await stage.page.getByText('Nenhuma conexão ainda').waitFor()
    },
  },
  {
    name: 'connections-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/whatsapp(\/)?(\?|$)/)
      await stage.open('/connections')
      await stage.page.getByText('As conexões não carregaram').waitFor()
    },
  },
  {
    name: 'connection-add',
    steps: async stage => {
      await stage.open('/connections')
      await button(stage, /^Adicionar/)
        .first()
        .click()
      await dialog(stage)
    },
  },
  {
    name: 'connection-menu',
    steps: async stage => {
      await stage.open('/connections')
      await button(stage, 'Mais opções de Loja Centro').click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'connection-qr',
    steps: async stage => {
      await stage.open('/connections')
      await stage.page
        .getByRole('listitem')
        .filter({ hasText: 'Loja Centro' })
        .getByRole('button', { name: /QR code/ })
        .first()
        .click()
      await stage.page
        .getByRole('img', { name: /QR code para conectar/ })
        .first()
        .waitFor()
    },
  },
]
