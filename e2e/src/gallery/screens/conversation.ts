// An open conversation: every kind of one, its states and its menus.
import type { Page } from 'playwright-core'
import type { Screen } from '../stage.ts'
import { LUCIA, mockAnswer, mockFailure, openActions, openConversation, openMessageMenu } from '../steps.ts'

export const CONVERSATION: readonly Screen[] = [
  { name: 'conversation', steps: stage => openConversation(stage) },
  { name: 'conversation-pending', steps: stage => openConversation(stage, 'Padaria Estrela') },
  { name: 'conversation-paused', steps: stage => openConversation(stage, 'Açougue Dois Irmãos') },
  { name: 'conversation-closed', steps: stage => openConversation(stage, 'Hotel Mirante') },
  { name: 'conversation-group', steps: stage => openConversation(stage, 'Entregas zona norte') },
  { name: 'conversation-window-closed', steps: stage => openConversation(stage, 'Restaurante Varandão') },
  ...makeLongScreens('conversation-files', 'Papelaria Aurora'),
  ...makeLongScreens('conversation-cards', 'Papelaria Aurora Cartões'),
  ...makeLongScreens('conversation-customers', 'Papelaria Aurora Clientes'),
  ...makeLongScreens('conversation-states', 'Papelaria Aurora Estados'),
  { name: 'conversation-long', state: true, steps: stage => openConversation(stage, 'Mercado Longo') },
  {
    name: 'conversation-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, /\/messages\/\d+(\?|$)/, () => ({
        messages: [],
        hasMore: false,
        count: 0,
        nextCursor: null,
        newerCursor: null,
      }))
      await openConversation(stage)
      await stage.page.getByText('Diga olá ao seu novo contato!').waitFor()
    },
  },
  {
    name: 'conversation-loading',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route(/\/messages\/\d+/, () => {})
      await stage.open(`/tickets/${stage.made.ticket[LUCIA]}`)
      await stage.page.locator('.c-skeleton').waitFor()
    },
  },
  {
    name: 'conversation-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, /\/messages\/\d+/)
      await stage.open(`/tickets/${stage.made.ticket[LUCIA]}`)
      await stage.page.getByText('As mensagens não carregaram').waitFor()
    },
  },
  {
    name: 'conversation-menu',
    steps: async stage => {
      await openConversation(stage)
      await openActions(stage)
    },
  },
  {
    name: 'message-menu',
    steps: async stage => {
      await openConversation(stage)
      await openMessageMenu(stage)
    },
  },
  {
    name: 'picture',
    steps: async stage => {
      await openConversation(stage, 'Papelaria Aurora')
      await stage.page
        .getByRole('button', { name: /vitrine\.png|Ver (a )?(foto|imagem)|Abrir/ })
        .last()
        .click()
      await stage.page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'viewers',
    state: true,
    steps: async stage => {
      await openConversation(stage)
      await stage.page.getByRole('button', { name: 'Rafael está olhando.' }).waitFor()
    },
  },
  {
    name: 'viewers-menu',
    steps: async stage => {
      await openConversation(stage)
      await stage.page.getByRole('button', { name: 'Rafael está olhando.' }).click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'claim',
    steps: async stage => {
      await openConversation(stage)
      await stage.made.colleague.begin('Pode ser na sexta')
      await stage.page.getByText('Rafael está respondendo.').first().waitFor()
      await stage.page.getByRole('textbox', { name: /Mensagem para/ }).fill('Pode sim, Dona Lúcia')
      // On a touch keyboard Enter is a line break.
      await stage.page.locator('.k-composer').getByRole('button', { name: 'Enviar', exact: true }).click()
      await stage.page.getByRole('button', { name: 'Enviar assim mesmo' }).waitFor()
    },
    after: stage => stage.made.colleague.begin(''),
  },
]

async function scrollUp(page: Page) {
  await page
    .locator('.c-conversation')
    .getByRole('region', { name: 'Mensagens' })
    .evaluate(region => {
      for (const element of [region, ...region.querySelectorAll('*')])
        if (element.scrollHeight > element.clientHeight + 20) element.scrollTop = 0
    })
}

/** A conversation longer than the screen: its end, and what stands above it. */
function makeLongScreens(name: string, contact: string): Screen[] {
  return [
    { name, steps: stage => openConversation(stage, contact) },
    {
      name: `${name}-above`,
      state: true,
      steps: async stage => {
        await openConversation(stage, contact)
        await scrollUp(stage.page)
      },
    },
  ]
}
