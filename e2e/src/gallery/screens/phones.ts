// The simulator's page with the customers' phones.
import type { Screen } from '../stage.ts'

export const PHONES: readonly Screen[] = [
  {
    name: 'phones-page',
    as: 'nobody',
    steps: async stage => {
      await stage.page.goto(`${stage.world.url}/simulator`)
      await stage.page.getByText('Celular da empresa').first().waitFor()
    },
  },
  {
    name: 'phones-wall',
    as: 'nobody',
    steps: async ({ page, world }) => {
      await page.goto(`${world.url}/simulator#parede`)
      await page
        .getByRole('button', { name: /Trazer 200 clientes|Ana Alves/ })
        .first()
        .waitFor()
      await page.getByText(/^[1-9]\d* telefones/).waitFor()
      const bring = page.getByRole('button', { name: 'Trazer 200 clientes' })
      if (await bring.isVisible()) await bring.click()
      await page.getByRole('button', { name: 'Ana Alves' }).click()
      await page.getByRole('region', { name: 'Ana Alves na mão' }).waitFor()
    },
  },
]
