// The settings: each group, found by a word, and what a visibility setting would change before it is switched.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton } from '../steps.ts'

async function page(stage: ScreenContext, group = 'schedule') {
  await stage.open(`/Settings/${group}`)
  await stage.page.locator(`[data-group=${group}]`).waitFor()
}

async function find(stage: ScreenContext, words: string) {
  await page(stage)
  await stage.page.getByRole('searchbox', { name: 'Buscar ajuste' }).fill(words)
}

export const SETTINGS: readonly Screen[] = [
  { name: 'settings', steps: stage => page(stage) },
  ...['holidays', 'messages', 'tickets', 'incoming', 'viewing', 'history', 'bot', 'sends', 'notices', 'system'].map(
    (group): Screen => ({ name: `settings-${group}`, steps: stage => page(stage, group) }),
  ),
  {
    name: 'settings-search',
    steps: async stage => {
      await stage.api('PUT', '/settings', { values: { historyByUser: 'enabled' } })
      await find(stage, 'fila')
      await stage.page.getByText(/ajustes falam de “fila”/).waitFor()
    },
    after: ({ api }) => api('PUT', '/settings', { values: { historyByUser: 'disabled' } }),
  },
  {
    name: 'settings-dry-run',
    steps: async stage => {
      await find(stage, 'sem fila')
      await stage.page
        .getByRole('switch', { name: 'Conversas sem fila só para administradores' })
        .click({ force: true })
      await stage.page.getByText(/^Ao ligar: \d/).waitFor()
      await locateButton(stage, 'Ver quem').click()
    },
  },
  {
    name: 'settings-try-it',
    steps: async stage => {
      await page(stage, 'messages')
      await stage.page.getByText('Como a conversa começa').click()
      const words = stage.page.getByRole('textbox', { name: 'Escreva como cliente' })
      for (const text of ['Bom dia', '1']) {
        await words.fill(text)
        await words.press('Enter')
      }
      await words.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-wrong-time',
    state: true,
    fresh: true,
    steps: async stage => {
      await page(stage)
      await stage.page.getByLabel('até', { exact: true }).fill('')
      await locateButton(stage, 'Salvar').first().click()
      await stage.page.getByText('Horário de final de almoço inválido').first().waitFor()
    },
  },
  {
    name: 'settings-nothing',
    state: true,
    fresh: true,
    steps: async stage => {
      await find(stage, 'xadrez')
      await stage.page.getByText('Nada com “xadrez”').waitFor()
    },
  },
  {
    name: 'settings-token',
    state: true,
    fresh: true,
    steps: async stage => {
      await find(stage, 'token')
      await locateButton(stage, 'Criar token').click()
      await stage.page.getByText('Copie agora').first().waitFor()
    },
    after: ({ api }) => api('PUT', '/settings/userApiToken', { value: '' }),
  },
]
