// The privacy desk.
import type { Screen, Stage } from '../stage.ts'
import { button, fail } from '../steps.ts'

export const PRIVACY: readonly Screen[] = [
  { name: 'privacy', steps: found },
  {
    name: 'privacy-begin',
    state: true,
    steps: async stage => {
      await stage.open('/privacy')
      await stage.page.getByText('Quem pediu?').waitFor()
    },
  },
  {
    name: 'privacy-erase',
    steps: async stage => {
      await found(stage)
      const reason = stage.page.getByLabel('Motivo para apagar mesmo assim')
      if (await reason.isVisible()) await reason.fill('Pedido por escrito da titular em 24/11.')
      await button(stage, 'Apagar esta pessoa').click()
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
  {
    name: 'privacy-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/privacy\/?(\?|$)/)
      await stage.open('/privacy')
      await stage.page.getByText('Não carregou').waitFor()
    },
  },
]

async function found(stage: Stage): Promise<void> {
  await stage.open('/privacy')
  await stage.page.getByRole('searchbox', { name: 'Achar pessoa' }).fill('Lúcia')
  await stage.page.getByText('O que temos da pessoa').waitFor()
}
