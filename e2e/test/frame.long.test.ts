// The frame around every page, at a desk and on a phone, and a desk that is served without https (spec 1 §2).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, openDesk, setColorScheme, signIn } from '../src/desk.ts'
import { waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
/** The administrator at a desk and with a phone, through all tests below. */
let large: DeskSession
let phone: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  large = await signIn(browser, world, { as: 'admin' })
  phone = await signIn(browser, world, { as: 'admin', width: 390, height: 844 })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

describe('spec 1 §2: the frame', () => {
  test('for somebody who wants no movement the whole page turns dark at once', async () => {
    await large.page.evaluate(() => {
      document.addEventListener('transitionrun', () => {
        document.documentElement.dataset.moved = 'yes'
      })
    })
    await setColorScheme(large.page, 'dark')
    await large.page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    const { theme, moved } = await large.page.evaluate(() => ({ ...document.documentElement.dataset }))
    expect({ theme, moved }).toEqual({ theme: 'dark', moved: undefined })
    await setColorScheme(large.page, 'light')
  })

  test('on a low screen the whole menu is in sight, and on a very low one it scrolls to its last page', async () => {
    await large.page.setViewportSize({ width: 1024, height: 768 })
    const items = menu(large.page).locator('.s-rail-items')
    const last = menu(large.page).getByRole('link', { name: 'Diagnóstico' })
    await last.waitFor()
    // Also with the invoices, which not every company has there.
    const hidden = await items.evaluate(list => {
      const one = list.lastElementChild?.cloneNode(true)
      if (one) list.append(one)
      const more = list.scrollHeight - list.clientHeight
      one?.parentNode?.removeChild(one)
      return more
    })
    expect(hidden).toBeLessThanOrEqual(0)
    await last.click()
    await large.page.waitForURL('**/doctor')
    await large.page.setViewportSize({ width: 1024, height: 420 })
    await items.hover()
    await large.page.mouse.wheel(0, 2000)
    await waitUntil('the last one stands over the avatar', async () => {
      const [end, account] = await Promise.all([
        last.boundingBox(),
        large.page.getByRole('button', { name: 'Sua conta' }).boundingBox(),
      ])
      return end !== null && account !== null && end.y + end.height <= account.y
    })
    await large.page.setViewportSize({ width: 1440, height: 900 })
  })

  test.each([
    ['before anybody chose', false],
    ['opened', true],
  ])(
    'no page moves when it is opened: the menu, %s, is the same beside all',
    async (_, isOpen) => {
      if (isOpen) await large.page.getByRole('button', { name: 'Abrir o menu' }).click()
      const widths: (number | undefined)[] = []
      for (const name of ['Painel', 'Conversas', 'Filas', 'Tags']) {
        const link = menu(large.page).getByRole('link', { name })
        await link.click()
        await waitUntil(name, async () => (await link.getAttribute('aria-current')) === 'page')
        widths.push((await menu(large.page).boundingBox())?.width)
      }
      expect(widths).toEqual(Array(4).fill(isOpen ? 240 : 64))
    },
    60_000,
  )

  test.each(['en', 'es', 'pt'])('on a phone the words of that bar are whole: %s', async language => {
    await phone.page.evaluate(spoken => localStorage.setItem('balcao.language', spoken), language)
    await phone.page.reload()
    await phone.page.locator(`html[lang^=${language}] .s-bottom-item`).first().waitFor()
    const words = phone.page.locator('.s-bottom-word')
    expect(await words.evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).length)).toBe(0)
  })

  test('long work stands in the bar of every page, and what is done with it on one device is seen on the other', async () => {
    await sql`
      insert into job (kind, user_id, params) select 'contacts.import', id, '{}' from "user" where profile = 'admin' order by id limit 1`
    await Promise.all([large.page.reload(), phone.page.reload()])
    const tray = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    await tray(phone.page, '1 tarefa').waitFor()
    await menu(large.page).getByRole('link', { name: 'Conexões' }).click()
    await tray(large.page, '1 tarefa').click()
    const panel = large.page.getByRole('dialog', { name: 'Tarefas' })
    await panel.getByText('Na vez').waitFor()
    expect(await findAccessibilityIssues(large.page)).toEqual([])
    await panel.getByRole('button', { name: 'Parar' }).click()
    await panel.getByText('Cancelada').waitFor()
    await tray(phone.page, 'Tarefas').waitFor()
    // On a phone it has no word but a picture, and the longest title still stands in one line beside it.
    await tray(phone.page, 'Tarefas').locator('svg:visible').waitFor()
    await phone.page.goto(`${world.url}/settings`)
    const title = phone.page.locator('.s-bar-title', { hasText: 'Configurações' })
    await tray(phone.page, 'Tarefas').waitFor()
    const lines = await title.evaluate(element => {
      const words = document.createRange()
      words.selectNodeContents(element)
      return words.getClientRects().length
    })
    expect(lines).toBe(1)
    expect([...large.complaints, ...phone.complaints]).toEqual([])
    await Promise.all([large.close(), phone.close()])
  })
})

describe('over plain http in a company’s own network', () => {
  test('people write, copy and stay signed in, and what a browser keeps for https says so', async () => {
    const other = await launchBrowser(['--host-resolver-rules=MAP desk.lan 127.0.0.1'])
    const desk = await openDesk(other)
    const { page } = desk
    const account = world.accounts.find(one => one.profile === 'admin')
    await page.goto(`http://desk.lan:${new URL(world.url).port}/login`)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await page.getByLabel('E-mail').fill(account?.email ?? '')
    await page.getByLabel('Senha', { exact: true }).fill(account?.password ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/tickets')
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    await page.getByRole('option').first().click()
    await page.getByPlaceholder('Escreva uma mensagem').fill('Pela rede da loja')
    await page.keyboard.press('Enter')
    const messages = page.getByRole('region', { name: 'Mensagens' }).getByRole('listitem')
    const written = messages.filter({ hasText: 'Pela rede da loja' }).last()
    await written.hover()
    await written.getByRole('button', { name: 'Ações da mensagem' }).click()
    await page.getByRole('menuitem', { name: /Copiar texto/ }).click()
    await page.getByText('Texto copiado').waitFor()
    await page.getByRole('button', { name: 'Gravar áudio' }).click()
    await page.getByText('O navegador só deixa gravar em endereços com https.').waitFor()
    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('menuitem', { name: 'Avisos neste aparelho' }).click()
    await page.getByText('O navegador só avisa em endereços com https.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('menuitem', { name: 'Meu perfil' }).click()
    await page.getByText('Só aparece em endereços com https').waitFor()
    await page.reload()
    await written.waitFor()
    // The browser says of one header that it is of no use here.
    expect(desk.complaints.filter(words => !words.includes('Cross-Origin-Opener-Policy'))).toEqual([])
    await other.close()
  })
})

function menu(page: Page) {
  return page.getByRole('navigation', { name: 'Menu' })
}
