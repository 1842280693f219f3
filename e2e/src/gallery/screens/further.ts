// What answers a search, what several or the AI are asked for, what only some conversations have.
import type { Screen, ScreenContext } from '../stage.ts'
import {
  locateButton,
  openContactDrawer,
  openConversation,
  openDeskTab,
  openFromUserMenu,
  performAction,
  performMessageAction,
} from '../steps.ts'

export const FURTHER: readonly Screen[] = [
  {
    name: 'find-in-conversation',
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, 'Buscar na conversa')
      const box = stage.page.getByRole('dialog', { name: 'Buscar nesta conversa' })
      await box.getByLabel('Texto da mensagem').fill('boleto')
      await box.locator('mark').first().waitFor()
    },
  },
  {
    name: 'find-nothing',
    // The window that finds stays open beside the conversation.
    fresh: true,
    state: true,
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, 'Buscar na conversa')
      const box = stage.page.getByRole('dialog', { name: 'Buscar nesta conversa' })
      await box.getByLabel('Texto da mensagem').fill('xyzzy')
      await box.getByText('Nenhuma mensagem foi encontrada').waitFor()
    },
  },
  {
    name: 'go-to-day',
    fresh: true,
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, 'Ir para a data…')
      const box = stage.page.getByRole('dialog', { name: 'Ir para uma data' })
      await box.getByRole('searchbox').fill('hoje')
      await box.getByRole('button', { name: /^Ir para/ }).waitFor()
    },
  },
  {
    name: 'go-to-day-miss',
    fresh: true,
    state: true,
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, 'Ir para a data…')
      const box = stage.page.getByRole('dialog', { name: 'Ir para uma data' })
      await box.getByRole('searchbox').fill('1/1/2020')
      await stage.page.keyboard.press('Enter')
      await box.getByText(/aqui começa a conversa/).waitFor()
    },
  },
  {
    name: 'dialog-other-ticket',
    steps: async stage => {
      await openDeskTab(stage)
      await locateButton(stage, 'Nova conversa').first().click()
      const form = stage.page.getByRole('dialog', { name: 'Nova conversa' })
      await form.getByLabel('Nome ou número do contato').fill('pizzaria')
      await form.getByRole('option', { name: /Pizzaria Nonna/ }).click()
      await choose(stage, 'Fila', 'Comercial')
      await choose(stage, 'Conexão', 'Loja Centro')
      await form.getByRole('button', { name: 'Iniciar conversa' }).click()
      await stage.page.getByRole('dialog', { name: /Já existe uma conversa/ }).waitFor()
    },
  },
  {
    name: 'dialog-other-ticket-words',
    state: true,
    fresh: true,
    steps: async stage => {
      const { page } = stage
      const request = Promise.withResolvers<void>()
      const written = Promise.withResolvers<void>()
      await page.route(/\/tickets$/, async route => {
        if (route.request().method() !== 'POST') return route.fallback()
        request.resolve()
        await written.promise
        const details = { ticketId: 9000, status: 'open', userId: 9000, user: 'Rafael Costa', queue: 'Financeiro' }
        await route.fulfill({ status: 409, json: { error: 'ERR_OTHER_OPEN_TICKET', message: '', details } })
      })
      await openDeskTab(stage)
      await locateButton(stage, 'Nova conversa').first().click()
      const form = page.getByRole('dialog', { name: 'Nova conversa' })
      await choose(stage, 'Fila', 'Comercial')
      await choose(stage, 'Conexão', 'Loja Centro')
      await form.getByLabel('Nome ou número do contato').fill('pizzaria')
      await form.getByRole('option', { name: /Pizzaria Nonna/ }).waitFor()
      await page.keyboard.press('Enter')
      await request.promise
      await page.keyboard.type(
        'Bom dia! As caixas de pizza que vocês pediram chegaram hoje cedo. Podemos entregar ainda nesta tarde?',
      )
      written.resolve()
      await page
        .getByRole('dialog', { name: /Já existe uma conversa/ })
        .getByText('caixas de pizza')
        .waitFor()
    },
  },
  {
    name: 'bulk-bar',
    steps: async stage => {
      await openDeskTab(stage, 'Abertos')
      await stage.page.getByRole('option').first().waitFor()
      await stage.page.locator('body').press('x')
      await stage.page.keyboard.press('Shift+J')
      await stage.page.getByRole('region', { name: 'Conversas marcadas' }).getByText('2 marcadas').waitFor()
    },
  },
  {
    name: 'templates',
    steps: async stage => {
      await openConversation(stage, 'Restaurante Varandão')
      await locateButton(stage, 'Escolher modelo').last().click()
      await stage.page
        .getByRole('dialog')
        .getByRole('button', { name: /boleto_disponivel/ })
        .waitFor()
    },
  },
  {
    name: 'template-filled',
    state: true,
    steps: async stage => {
      await openConversation(stage, 'Restaurante Varandão')
      await locateButton(stage, 'Escolher modelo').last().click()
      const box = stage.page.getByRole('dialog')
      await box.getByRole('button', { name: /boleto_disponivel/ }).click()
      await box.getByRole('button', { name: 'Enviar modelo' }).waitFor()
    },
  },
  {
    name: 'recording',
    steps: async stage => {
      await stage.context.grantPermissions(['microphone'])
      await openConversation(stage)
      await locateButton(stage, 'Gravar áudio').click()
      await locateButton(stage, 'Enviar áudio').and(stage.page.locator(':enabled')).waitFor()
      await locateButton(stage, 'Pausar').last().click()
      await locateButton(stage, 'Continuar gravando').waitFor()
    },
    after: stage => stage.context.clearPermissions(),
  },
  {
    name: 'dialog-opt-in',
    steps: async stage => {
      await stage.context.grantPermissions(['notifications'])
      await openDeskTab(stage)
      await openFromUserMenu(stage, 'Avisos neste aparelho')
    },
    after: stage => stage.context.clearPermissions(),
  },
  {
    name: 'contact-edit',
    steps: async stage => {
      await openContactDrawer(stage)
      await locateButton(stage, 'Editar contato').first().click()
      await stage.page.getByRole('dialog', { name: 'Editar contato' }).getByLabel('Nome *').waitFor()
    },
  },
  {
    name: 'contact-files',
    steps: async stage => {
      await openContactDrawer(stage)
      await locateButton(stage, 'Ver tudo').first().click()
      await stage.page.getByRole('tabpanel', { name: 'Mídia' }).getByRole('button').first().waitFor()
    },
  },
  {
    name: 'dialog-contact-card',
    steps: async stage => {
      await openConversation(stage)
      await locateButton(stage, 'Contato, modelo e mais').click()
      await stage.page.getByRole('menuitem', { name: 'Enviar contato' }).click()
      const box = stage.page.getByRole('dialog', { name: 'Enviar contato' })
      await box.getByLabel('Nome ou número').fill('pad')
      await box.getByRole('button', { name: /Padaria Estrela/ }).waitFor()
    },
  },
  {
    name: 'dialog-summary',
    steps: async stage => {
      await withAi(stage)
      await openConversation(stage)
      await performAction(stage, 'Resumir com IA')
      await stage.page.getByRole('dialog').getByText('pagar na sexta').waitFor()
    },
  },
  {
    name: 'ai-draft',
    steps: async stage => {
      await withAi(stage)
      await openConversation(stage)
      await stage.page.getByRole('textbox', { name: /^Mensagem para/ }).fill('o boleto novo vence na sexta, ta bom?')
      await locateButton(stage, 'Contato, modelo e mais').click()
      await stage.page.getByRole('menuitem', { name: 'Ajuda da IA' }).press('Enter')
      await locateButton(stage, 'Mais formal').click()
      await locateButton(stage, 'Usar').waitFor()
    },
  },
  {
    name: 'dialog-translation',
    state: true,
    steps: async stage => {
      await withAi(stage)
      await openConversation(stage)
      await performMessageAction(stage, 'Traduzir')
      await stage.page.getByRole('dialog').getByRole('button', { name: 'Copiar' }).waitFor()
    },
  },
  {
    name: 'dialog-summary-writing',
    state: true,
    fresh: true,
    steps: async stage => {
      await withAi(stage)
      await stage.page.route(/\/tickets\/ai\/resume\//, () => {})
      await openConversation(stage)
      await performAction(stage, 'Resumir com IA')
      await stage.page.getByText('A IA está escrevendo o resumo').waitFor({ state: 'attached' })
    },
  },
  {
    name: 'transcript',
    state: true,
    steps: async stage => {
      await openConversation(stage, 'Papelaria Aurora')
      await stage.page.getByText('Pode publicar sim, e marca').first().scrollIntoViewIfNeeded()
    },
  },
]

async function choose({ page }: ScreenContext, label: string, option: string) {
  await page.getByRole('dialog').locator('.b-field').filter({ hasText: label }).locator('.p-dropdown').click()
  await page.locator('.p-dropdown-item', { hasText: option }).click()
}

/** As if a key for the AI were configured; what it writes is written here. */
async function withAi(stage: ScreenContext) {
  const resume =
    'Dona Lúcia pediu a segunda via do boleto, que vence hoje, e perguntou se pode pagar na sexta sem juros.\n\nMarina enviou o boleto novo e o contrato. Falta responder sobre os juros.'
  await stage.page.route(/\/ai$/, route => route.fulfill({ json: { enabled: true } }))
  await stage.page.route(/\/tickets\/ai\/resume\//, route => route.fulfill({ json: { resume } }))
  const body = 'Prezada Dona Lúcia, o boleto novo vence na sexta-feira. Fico à disposição.'
  await stage.page.route(/\/tickets\/ai\/assist\//, route => route.fulfill({ contentType: 'text/plain', body }))
}
