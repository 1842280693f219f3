// Steps that screens of several areas take.
import type { Screen, ScreenContext } from './stage.ts'

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

/** Figures that are counted anew, as after a change of the time zone. */
export async function mockCounting(stage: ScreenContext, calls: RegExp) {
  const counting = { what: 'days', timezone: 'America/Manaus', done: 0.4 }
  await mockAnswer(stage, calls, body => ({ ...body, counting }))
}

export async function mockFailure({ page }: ScreenContext, address: RegExp) {
  await page.route(address, route =>
    route.request().resourceType() === 'document'
      ? route.fallback()
      : route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL', message: 'Erro interno' } }),
  )
}

interface ListState {
  /** The calls that are answered instead of the server. */
  readonly calls: RegExp
  readonly path: string
}

interface EmptyList extends ListState {
  /** The name of the rows in their page; without it the answer is the bare list. */
  readonly rows?: string
  readonly text: string
}

/** A page that shows this text when its list is empty. */
export function makeEmptyScreen(name: string, { calls, rows, path, text }: EmptyList): Screen {
  const answer = rows === undefined ? [] : { [rows]: [], count: 0, hasMore: false, nextCursor: null }
  return {
    name,
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, calls, () => answer)
      await showPage(path, text)(stage)
    },
  }
}

/** A page that shows this text, or any alert, when its list does not come. */
export function makeFailedScreen(name: string, { calls, path, text }: ListState & { readonly text?: string }): Screen {
  return {
    name,
    state: true,
    fresh: true,
    steps: async stage => {
      await mockFailure(stage, calls)
      await stage.open(path)
      await (text === undefined ? stage.page.getByRole('alert') : stage.page.getByText(text)).first().waitFor()
    },
  }
}

/** Opens a page and waits for what it shows. */
export function showPage(path: string, text: string | RegExp): Screen['steps'] {
  return async stage => {
    await stage.open(path)
    await stage.page.getByText(text).first().waitFor()
  }
}

/** What can be done to a row, be its buttons there or behind three dots. */
export async function performRowAction(stage: ScreenContext, name: string, word: string) {
  const label = new RegExp(`^${word} ${name}`)
  await stage.page.getByText(name).first().waitFor()
  if (stage.phone) {
    await locateButton(stage, new RegExp(`^Mais opções de ${name}`))
      .first()
      .click()
    await stage.page.getByRole('menuitem', { name: label }).click()
  } else await locateButton(stage, label).first().click()
}

/** The form behind what can be done to a row. */
export function openRowForm(path: string, name: string, word: string): Screen['steps'] {
  return async stage => {
    await stage.open(path)
    await performRowAction(stage, name, word)
    await waitForDialog(stage)
  }
}

/** The form behind a button of a page. */
export function openForm(path: string, label: string | RegExp): Screen['steps'] {
  return async stage => {
    await stage.open(path)
    await locateButton(stage, label).first().click()
    await waitForDialog(stage)
  }
}
