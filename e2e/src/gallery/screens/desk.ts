// The desk's lists, with their states and the search.
import type { Screen } from '../stage.ts'
import { makeEmptyScreen, makeFailedScreen, mockAnswer, openConversation, openDeskTab } from '../steps.ts'

export const DESK: readonly Screen[] = [
  { name: 'desk', steps: openDeskTab },
  ...(['Pendentes', 'Grupos'] as const).map(
    (tab): Screen => ({ name: `desk-${tab.toLowerCase()}`, steps: stage => openDeskTab(stage, tab) }),
  ),
  ...(['Fechados', 'Pausados'] as const).map(
    (tab): Screen => ({ name: `desk-${tab.toLowerCase()}`, steps: stage => openDeskTab(stage, tab) }),
  ),
  {
    name: 'desk-interno',
    steps: async stage => {
      await openDeskTab(stage, 'Interno')
      await stage.page.getByText('Entregas de hoje').first().waitFor()
    },
  },
  { name: 'desk-of-agent', as: 'user', steps: stage => openDeskTab(stage, 'Pendentes') },
  makeEmptyScreen('desk-empty', {
    calls: /\/tickets\?/,
    rows: 'tickets',
    path: '/tickets',
    text: 'Nenhuma conversa com você',
  }),
  {
    name: 'desk-nobody-waits',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, /\/tickets\?/, () => ({ tickets: [], hasMore: false, count: 0, nextCursor: null }))
      await stage.open('/tickets')
      await stage.page.getByRole('tab', { name: /Pendentes/ }).click()
      await stage.page.getByText('Ninguém esperando').waitFor()
    },
  },
  {
    name: 'desk-loading',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route(/\/tickets\?/, () => {})
      await stage.open('/tickets')
      await stage.page.locator('[aria-busy=true]').first().waitFor()
    },
  },
  makeFailedScreen('desk-failed', { calls: /\/tickets\?/, path: '/tickets', text: 'As conversas não carregaram' }),
  {
    name: 'desk-offline',
    steps: async stage => {
      await openConversation(stage)
      await stage.context.setOffline(true)
      await stage.page.getByText('Sem internet.').first().waitFor()
    },
  },
  {
    name: 'desk-search',
    steps: async stage => {
      await openDeskTab(stage, 'Abertos')
      await stage.page.getByRole('searchbox').first().fill('padaria')
      await stage.page
        .getByRole('listbox', { name: 'Resultados da busca' })
        .getByText('Padaria Estrela')
        .first()
        .waitFor()
    },
  },
]
