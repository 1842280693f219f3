// What a provider tells of an account, as an impatient administrator meets it: in the bell, on the card and in the log, while the line
// comes and goes, on a phone at night, by keys alone, and not at all for who is no administrator (decisions-2 §16, §22; docs/decisions/0200).
import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { findAccount, signInAdministrator, tabToTarget, waitUntil } from '../src/steps.ts'

const { browser, world, desk, page } = await openTestSystem()

const RESTRICTED = 'A Meta restringiu a conta. Veja o Gerenciador do WhatsApp.'
const PAUSED = 'Modelo pausado: clientes reclamaram. (boas_vindas)'

test('told while the line is away it is in the bell when that is back, once, however often the bell is pressed', async () => {
  await desk.context.setOffline(true)
  await tell('account_update', { event: 'ACCOUNT_RESTRICTION' })
  await tell('message_template_status_update', { event: 'PAUSED', message_template_name: 'boas_vindas' })
  await desk.context.setOffline(false)
  await waitUntil('the bell counts them', async () => (await bell(page).locator('.b-badge').textContent()) !== '')
  await bell(page).dblclick()
  await page.getByRole('dialog', { name: /^Quem espera/ }).waitFor({ state: 'detached' })
  await bell(page).click()
  const panel = page.getByRole('dialog', { name: /^Quem espera/ })
  for (const words of [RESTRICTED, PAUSED]) {
    await panel.getByText(words, { exact: true }).waitFor()
    expect(await panel.getByText(words, { exact: true }).count()).toBe(1)
  }
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('by keys alone it leads to the card, is marked as seen, and leaves the bell; the log keeps it', async () => {
  const panel = page.getByRole('dialog', { name: /^Quem espera/ })
  const row = panel.getByRole('button', { name: /Oficial São José.*restringiu a conta/ })
  await tabToTarget(page, row, 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/connections')
  for (const words of [RESTRICTED, PAUSED]) await card().getByText(words, { exact: true }).waitFor()
  await tabToTarget(page, card().getByRole('button', { name: 'Visto' }))
  // Twice, as who is in a hurry does.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await card().getByRole('button', { name: 'Visto' }).waitFor({ state: 'detached' })
  await bell(page).click()
  await panel.waitFor()
  expect(await panel.getByText(RESTRICTED).count()).toBe(0)
  await page.keyboard.press('Escape')
  await visit(page, '/log')
  const rows = page.getByRole('row').filter({ hasText: 'Aviso da conta oficial' })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(2)
  await rows.first().getByText('Automático').waitFor()
})

test('on a phone at night it fits, also what is long and holds a script', async () => {
  const phone = await signIn(browser, world, { width: 390, height: 844, colorScheme: 'dark', touch: true })
  const name = `<img src=x onerror="document.title='caught'">${'nome_muito_longo_'.repeat(12)}`
  await tell('message_template_status_update', { event: 'REJECTED', message_template_name: name })
  await visit(phone.page, '/connections')
  await phone.page
    .getByText(/nome_muito_longo_/)
    .first()
    .waitFor()
  expect(await phone.page.title()).not.toContain('caught')
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(await findAccessibilityIssues(phone.page)).toEqual([])
  await phone.page.getByRole('button', { name: 'Visto' }).tap()
  await phone.page.getByRole('button', { name: 'Visto' }).waitFor({ state: 'detached' })
  expect(phone.complaints).toEqual([])
  await phone.close()
})

test('who signs in after an administrator on the same device finds nothing of it', async () => {
  await tell('account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } })
  await visit(page, '/tickets')
  await bell(page).click()
  const panel = page.getByRole('dialog', { name: /^Quem espera/ })
  await panel.getByText(/SPAM/).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sua conta' }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await page.waitForURL('**/login')
  const { email, password } = findAccount(world, 'user')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
  await bell(page).click()
  await panel.waitFor()
  await tell('account_update', { event: 'ACCOUNT_RESTRICTION' })
  // What is told after it has come: it would stand there by now.
  const call = await signInAdministrator(world)
  await call('PUT', '/settings/userShowAll', { value: 'enabled' })
  await page.getByRole('switch', { name: 'Ver todos', includeHidden: true }).waitFor({ state: 'attached' })
  expect(await page.getByText(/SPAM|restringiu a conta/).count()).toBe(0)
})

test('nothing complained', () => {
  expect(desk.complaints.filter(one => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(one))).toEqual([])
})

/** As Meta posts it; it is stored when the answer came. */
async function tell(field: string, value: Record<string, unknown>): Promise<void> {
  const lane = world.simulator.cloud?.business.lane
  lane?.post({ field, value })
  await lane?.idle()
}

function bell(at: Page): Locator {
  return at.getByRole('button', { name: /^Quem espera/ }).first()
}

function card(): Locator {
  return page.getByRole('listitem').filter({ hasText: 'Oficial São José' })
}
