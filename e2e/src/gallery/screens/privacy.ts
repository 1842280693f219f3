// The privacy desk.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, makeFailedScreen, showPage } from '../steps.ts'

export const PRIVACY: readonly Screen[] = [
  { name: 'privacy', steps: openSearchResult },
  { name: 'privacy-begin', state: true, steps: showPage('/privacy', 'Quem pediu?') },
  {
    name: 'privacy-erase',
    steps: async stage => {
      await openSearchResult(stage)
      const reason = stage.page.getByLabel('Motivo para apagar mesmo assim')
      if (await reason.isVisible()) await reason.fill('Pedido por escrito da titular em 24/11.')
      await locateButton(stage, 'Apagar esta pessoa').click()
      await stage.page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'privacy-requests',
    state: true,
    steps: async stage => {
      await stage.open('/privacy')
      await stage.page.getByRole('tab', { name: 'Pedidos' }).click()
      await stage.page.getByText('Nenhum pedido de apagar').waitFor()
    },
  },
  makeFailedScreen('privacy-failed', { calls: /\/privacy\/?(\?|$)/, path: '/privacy', text: 'Não carregou' }),
]

async function openSearchResult(stage: ScreenContext): Promise<void> {
  await stage.open('/privacy')
  await stage.page.getByRole('searchbox', { name: 'Achar pessoa' }).fill('Lúcia')
  await stage.page.getByText('O que temos da pessoa').waitFor()
}
