// Somebody who has never seen the product, on an empty desk: from the first sign-in to the first answered customer, by what each screen
// offers next, in so many clicks and keys (what is typed is not counted).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Browser } from 'playwright-core'
import { countActions } from '../src/action-count.ts'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, openDesk } from '../src/desk.ts'
import { leaveGreeting, listTextsOnPhone, pairOnScreen, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let desk: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ empty: true })])
  desk = await openDesk(browser)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('the first customer is answered within so many clicks', async () => {
  const { page } = desk
  const company = world.simulator.find('Celular da empresa') as CompanyPagePhone
  const customer = world.simulator.find('Dona Lúcia') as CustomerPagePhone
  const [, email = '', password = ''] = /First sign-in: (\S+) · (\S+)/.exec(world.server.output) ?? []
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').waitFor()
  const count = await countActions(page, async () => {
    // Where the cursor stands one types, and Enter goes on.
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /escolha sua senha/ }).waitFor()
    await page.keyboard.type('Minha-Senha-1')
    // Past the button that shows it.
    for (const _ of [1, 2]) await page.keyboard.press('Tab')
    await page.keyboard.type('Minha-Senha-1')
    await page.keyboard.press('Enter')
    const introduction = page.getByRole('dialog', { name: 'Como os clientes vão conhecer você?' })
    await introduction.waitFor()
    await page.keyboard.type('José')
    await page.keyboard.press('Enter')
    await introduction.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Conectar' }).click()
    const form = page.getByRole('dialog', { name: 'Adicionar conexão' })
    await form.waitFor()
    await page.keyboard.type('Loja')
    await page.keyboard.press('Enter')
    await page.locator('[data-qr]').waitFor()
    await pairOnScreen(page, 'Loja', company)
    await leaveGreeting(page)

    await customer.whatsapp.send(company.whatsapp, { type: 'text', text: 'Bom dia' })
    await page.getByRole('link', { name: 'Conversas' }).click()
    await page.getByRole('button', { name: 'Atender a próxima' }).click()
    const composer = page.getByPlaceholder('Escreva uma mensagem')
    await waitUntil('the cursor stands in it', () => composer.evaluate(one => one === document.activeElement))
    await page.keyboard.type('Bom dia! Como posso ajudar?')
    await page.keyboard.press('Enter')
    await waitUntil('it is answered', () =>
      listTextsOnPhone(customer, company).some(text => text.includes('Como posso ajudar?')),
    )
  })
  expect(count).toBeLessThanOrEqual(12)
  expect(desk.complaints).toEqual([])
})
