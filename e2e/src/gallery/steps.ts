// Steps that screens of several areas take.
import type { Stage } from './stage.ts'

export const LUCIA = 'Dona Lúcia Ferreira'

/** The desk with a tab open; sub-tabs are under 'Abertos'. */
export async function desk(stage: Stage, tab?: string) {
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
export async function conversation(stage: Stage, name = LUCIA) {
  await stage.open(`/tickets/${stage.made.ticket[name]}`)
  await stage.page.getByRole('region', { name: 'Mensagens' }).waitFor()
  await stage.page.locator('.m-bubble, .c-hello').last().waitFor()
}

export async function contactDrawer(stage: Stage) {
  await conversation(stage)
  await stage.page.keyboard.press('Escape')
  const drawer = stage.page.getByText('Dados do contato').first()
  if (!(await drawer.isVisible())) await stage.page.getByTitle(`Dados de ${LUCIA}`).click()
  await drawer.waitFor()
}

/** Performs an action on the ticket by its button, or by the menu where it has none. */
export async function fromActions(stage: Stage, label: string | RegExp) {
  const direct = stage.page.locator('.c-header, .c-strip').getByRole('button', { name: label })
  if (await direct.first().isVisible()) return direct.first().click()
  await openActions(stage)
  await stage.page.getByRole('menuitem', { name: label }).first().click()
}

export async function openActions(stage: Stage) {
  await stage.page.locator('.c-header').getByRole('button', { name: 'Mais ações' }).click()
  await stage.page.getByRole('menu').waitFor()
}

/** The menu of the last message of the conversation, or of the last of ours. */
export async function messageMenu(stage: Stage, ours = false) {
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

export async function fromMessageMenu(stage: Stage, label: string | RegExp) {
  await messageMenu(stage)
  await stage.page.getByRole('menuitem', { name: label }).first().click()
}

export async function openUserMenu(stage: Stage) {
  await stage.page
    .getByRole('button', { name: /Sua conta/ })
    .first()
    .click()
  await stage.page.getByRole('menu').waitFor()
}

export async function fromUserMenu(stage: Stage, label: string) {
  await openUserMenu(stage)
  await stage.page.getByRole('menuitem', { name: label }).click()
  await dialog(stage)
}

export async function dialog({ page }: Stage) {
  const box = page.getByRole('dialog').last()
  await box.waitFor()
  return box
}

export function button({ page }: Stage, name: string | RegExp) {
  return page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
}

/** Changes what the server answers. */
export async function answer(
  { page }: Stage,
  address: string | RegExp,
  change: (body: Record<string, unknown>) => unknown,
) {
  await page.route(address, async route => {
    if (route.request().resourceType() === 'document') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })
}

export async function fail({ page }: Stage, address: RegExp) {
  await page.route(address, route =>
    route.request().resourceType() === 'document'
      ? route.fallback()
      : route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL', message: 'Erro interno' } }),
  )
}
