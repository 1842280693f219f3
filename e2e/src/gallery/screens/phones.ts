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
]
