// Steps that screens of several areas take.
import type { ScreenContext } from './stage.ts'

export const LUCIA = 'Dona Lúcia Ferreira'

/** The desk with a tab open; sub-tabs are under 'Abertos'. */
export async function openDeskTab(stage: ScreenContext, tab?: string) {
  await stage.open('/tickets')
  await stage.page.getByRole('tab').first().waitFor()
  if (tab)
    await stage.page
      .getByRole('tab', { name: new RegExp(tab) })
      .first()
      .click()
  await stage.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** A conversation, its messages loaded. */
export async function openConversation(stage: ScreenContext, name = LUCIA) {
  await stage.open(`/tickets/${stage.made.ticket[name]}`)
  await stage.page.getByRole('region', { name: 'Mensagens' }).waitFor()
  await stage.page.locator('.m-bubble, .c-hello').last().waitFor()
}

export async function openContactDrawer(stage: ScreenContext) {
  await openConversation(stage)
  await stage.page.keyboard.press('Escape')
  const drawer = stage.page.getByText('Dados do contato').first()
  if (!(await drawer.isVisible())) await stage.page.getByTitle(`Dados de ${LUCIA}`).click()
  await drawer.waitFor()
}

/** Performs an action on the ticket by its button, or by the menu where it has none. */
export async function performAction(stage: ScreenContext, label: string | RegExp) {
  const direct = stage.page.locator('.c-header, .c-strip').getByRole('button', { name: label })
  if (await direct.first().isVisible()) return direct.first().click()
  await openActions(stage)
  await stage.page.getByRole('menuitem', { name: label }).first().click()
}

export async function openActions(stage: ScreenContext) {
  await stage.page.locator('.c-header').getByRole('button', { name: 'Mais ações' }).click()
  await stage.page.getByRole('menu').waitFor()
}

/** The menu of the last message of the conversation, or of the last of ours. */
export async function openMessageMenu(stage: ScreenContext, ours = false) {
  const region = stage.page.getByRole('region', { name: 'Mensagens' })
  const bubble = region.locator(ours ? '.m-bubble.is-mine, .is-mine .m-bubble' : '.m-bubble').last()
  // A finger rests on the bubble; a mouse finds a button beside it.
  if (stage.phone) await bubble.dispatchEvent('pointerdown', { pointerType: 'touch' })
  else {
    await bubble.hover()
    await bubble
      .locator('xpath=ancestor-or-self::*[.//button[@aria-haspopup="menu"]][1]')
      .getByRole('button', { name: 'Ações da mensagem' })
      .last()
      .click()
  }
  await stage.page.getByRole('menu').waitFor()
}

export async function performMessageAction(stage: ScreenContext, label: string | RegExp) {
  await openMessageMenu(stage)
  await stage.page.getByRole('menuitem', { name: label }).first().click()
}

export async function openUserMenu(stage: ScreenContext) {
  await stage.page
    .getByRole('button', { name: /Sua conta/ })
    .first()
    .click()
  await stage.page.getByRole('menu').waitFor()
}

export async function openFromUserMenu(stage: ScreenContext, label: string) {
  await openUserMenu(stage)
  await stage.page.getByRole('menuitem', { name: label }).click()
  await waitForDialog(stage)
}

export async function waitForDialog({ page }: ScreenContext) {
  const box = page.getByRole('dialog').last()
  await box.waitFor()
  return box
}

export function locateButton({ page }: ScreenContext, name: string | RegExp) {
  return page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
}

/** Changes what the server answers. */
export async function mockAnswer(
  { page }: ScreenContext,
  address: string | RegExp,
  change: (body: Record<string, unknown>) => unknown,
) {
  await page.route(address, async route => {
    if (route.request().resourceType() === 'document') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })
}

export async function mockFailure({ page }: ScreenContext, address: RegExp) {
  await page.route(address, route =>
    route.request().resourceType() === 'document'
      ? route.fallback()
      : route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL', message: 'Erro interno' } }),
  )
}
