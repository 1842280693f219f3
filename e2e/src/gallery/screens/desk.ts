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
  {
    name: 'desk-woken',
    state: true,
    fresh: true,
    steps: async stage => {
      const now = new Date().toISOString()
      const woken = { wokenAt: now, lastMessageAt: now, unreadMessages: 1 }
      await mockAnswer(stage, /\/tickets\?/, ({ tickets, ...page }) => {
        const [first, ...others] = Array.isArray(tickets) ? tickets : []
        return { ...page, tickets: [{ ...first, ...woken }, ...others] }
      })
      await openDeskTab(stage)
      await stage.page.getByText('voltou da pausa').first().waitFor()
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
  ...makeSearchScreens({
    kind: ['Fotos', 'Fotos'],
    author: ['de clientes', 'De clientes'],
    period: ['hoje', 'hoje'],
    status: ['em atendimento', 'Em atendimento'],
  }),
  {
    name: 'desk-search-filters',
    fresh: true,
    steps: async stage => {
      await openDeskTab(stage, 'Buscar')
      await stage.page.getByRole('button', { name: /^Filtros/ }).click()
      await stage.page.getByLabel('Período').fill('sexta ou sábado')
      await stage.page.getByText('Não está claro').waitFor()
    },
  },
  {
    name: 'desk-search-none',
    state: true,
    fresh: true,
    steps: async stage => {
      await openDeskTab(stage, 'Buscar')
      await stage.page.getByRole('searchbox').first().fill('xyzzy mês passado')
      await stage.page.getByText('Nada com “xyzzy”').waitFor()
    },
  },
]

/** The search with one filter, chosen among what the letters may mean. */
function makeSearchScreens(filters: Readonly<Record<string, readonly [words: string, chip: string]>>): Screen[] {
  return Object.entries(filters).map(([name, [words, chip]]) => ({
    name: `desk-search-${name}`,
    state: true,
    fresh: true,
    steps: async stage => {
      await openDeskTab(stage, 'Buscar')
      await stage.page.getByRole('searchbox').first().fill(words)
      await stage.page.getByRole('group', { name: 'Restringir a busca' }).getByRole('button', { name: chip }).click()
      await stage.page.getByRole('group', { name: 'Mensagens' }).getByRole('option').first().waitFor()
    },
  }))
}
