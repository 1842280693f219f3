// Webhooks of other programs.
import { tabToTarget } from '../../steps.ts'
import type { Screen, ScreenContext } from '../stage.ts'
import { makeEmptyScreen, makeFailedScreen, openForm, openRowForm, performRowAction, showPage } from '../steps.ts'

const LIST = /\/integrations\/?(\?|$)/
const NAME = 'Loja virtual'

/** One that nobody answers; nothing leaves this machine. */
async function addWebhook(stage: ScreenContext): Promise<void> {
  const address = 'https://127.0.0.1:9/pedidos'
  const events = ['message.received', 'ticket.opened', 'ticket.resolved']
  await stage.api('POST', '/integrations', { name: NAME, address, events, fields: ['messageText', 'contactName'] })
}

async function removeWebhooks(stage: ScreenContext): Promise<void> {
  const webhooks = (await stage.api('GET', '/integrations')) as { readonly id: number }[]
  for (const { id } of webhooks) await stage.api('DELETE', `/integrations/${id}`)
}

/** A screen that has a webhook. */
function makeScreen(name: string, steps: Screen['steps']): Screen {
  return {
    name,
    steps: async stage => {
      await addWebhook(stage)
      await steps(stage)
    },
    after: removeWebhooks,
  }
}

const TOKENS = '/integrations?tokens'
const TOKEN = 'ERP da matriz'

async function addToken(stage: ScreenContext): Promise<void> {
  const queues = (await stage.api('GET', '/queue')) as { readonly id: number }[]
  const scopes = ['readTickets', 'send', 'contacts']
  await stage.api('POST', '/integrations/tokens', { name: TOKEN, scopes, queueIds: queues.map(({ id }) => id) })
}

async function removeTokens(stage: ScreenContext): Promise<void> {
  const tokens = (await stage.api('GET', '/integrations/tokens')) as { readonly id: number }[]
  for (const { id } of tokens) await stage.api('DELETE', `/integrations/tokens/${id}`)
}

/** As somebody without a mouse does it. */
async function addTokenByKeys(stage: ScreenContext): Promise<void> {
  await openForm(TOKENS, 'Adicionar token')(stage)
  const { page } = stage
  const { keyboard } = page
  await keyboard.type(TOKEN)
  // What it may, then, past whom it acts as, the queues.
  for (const tabs of [1, 2]) {
    for (let left = tabs; left > 0; left--) await keyboard.press('Tab')
    await keyboard.press('ArrowDown')
    await page.getByRole('option').first().waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Space')
    await keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
  }
  await tabToTarget(page, page.getByRole('dialog').getByRole('button', { name: 'Adicionar' }))
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copiar o token' }).waitFor()
}

/** A screen that has a token. */
function makeTokenScreen(name: string, steps: Screen['steps']): Screen {
  return {
    name,
    steps: async stage => {
      await addToken(stage)
      await steps(stage)
    },
    after: removeTokens,
  }
}

const TOKEN_LIST = /\/integrations\/tokens\/?(\?|$)/

export const INTEGRATIONS: readonly Screen[] = [
  makeTokenScreen('api-tokens', showPage(TOKENS, TOKEN)),
  makeEmptyScreen('api-tokens-empty', { calls: TOKEN_LIST, path: TOKENS, text: 'Nenhum token ainda' }),
  makeFailedScreen('api-tokens-failed', { calls: TOKEN_LIST, path: TOKENS, text: 'Os tokens não carregaram' }),
  { name: 'api-token-add', steps: openForm(TOKENS, 'Adicionar token') },
  { name: 'api-token-secret', steps: addTokenByKeys, after: removeTokens },
  makeTokenScreen('api-token-edit', openRowForm(TOKENS, TOKEN, 'Editar')),
  makeScreen('integrations', showPage('/integrations', NAME)),
  makeEmptyScreen('integrations-empty', { calls: LIST, path: '/integrations', text: 'Nenhum webhook ainda' }),
  makeFailedScreen('integrations-failed', { calls: LIST, path: '/integrations', text: 'Os webhooks não carregaram' }),
  { name: 'integration-add', steps: openForm('/integrations', 'Adicionar webhook') },
  makeScreen('integration-edit', openRowForm('/integrations', NAME, 'Editar')),
  makeScreen('integration-test', async stage => {
    await stage.open('/integrations')
    await performRowAction(stage, NAME, 'Enviar um teste a')
    await stage.page.getByRole('button', { name: 'Enviar um teste', exact: true }).click()
    await stage.page.getByText('Não entregue').waitFor()
  }),
  makeScreen('integration-deliveries', async stage => {
    const [webhook] = (await stage.api('GET', '/integrations')) as { readonly id: number }[]
    await stage.api('POST', `/integrations/${webhook?.id}/test`, { type: 'message.received' })
    await stage.open('/integrations')
    await performRowAction(stage, NAME, 'Entregas de')
    await stage.page.getByText('Não entregue').click()
    await stage.page.getByText('webhook-id').waitFor()
  }),
  makeScreen('integration-secret', async stage => {
    await stage.open('/integrations')
    await performRowAction(stage, NAME, 'Renovar o segredo de')
    await stage.page.getByRole('button', { name: 'Renovar segredo' }).click()
    await stage.page.getByRole('button', { name: 'Copiar o segredo' }).waitFor()
    await stage.page.keyboard.press('Escape')
    await stage.page.getByText(/não aparece de novo/).waitFor()
  }),
]
