// Messages as customers really send them, from their phones' page to the agent's screen: a cart, a Pix key, a change, a photo
// in HD, the first words after an advertisement (spec 1 §3).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CompanyPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, setColorScheme, signIn, visit } from '../src/desk.ts'
import { acceptTicket, locateMessages, pairPhone, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
let desk: DeskSession
let page: Page
let phones: Page

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  const company = world.simulator.find('Celular da empresa') as CompanyPagePhone
  await pairPhone(world, sql, 'Loja Centro', company)
  // The chat with the shop's own phone, not with the official number.
  const customer = world.simulator.find('Rafael Lima')
  if (customer) customer.open = `wa-${company.whatsapp.user}`
  desk = await signIn(browser, world)
  page = desk.page
  page.setDefaultTimeout(20_000)
  phones = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'pt-BR' })).newPage()
  phones.setDefaultTimeout(20_000)
  await phones.goto(`${world.simulator.url}/simulator`)
  await rafael().waitFor()
}, 180_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

describe('a customer who orders, pays and changes their mind', () => {
  test('comes by an advertisement: the agent sees which, also in the contact’s data and after a reload', async () => {
    await sheet('Anúncio')
    await visit(page, '/tickets')
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    await page
      .getByRole('option', { name: /Rafael Lima/ })
      .first()
      .click()
    await acceptTicket(page, 'Comercial')
    await locateText('Oi! Vi o anúncio das cestas.').waitFor()
    await messages().getByText('Veio do anúncio: Cestas de Natal').waitFor()
    const link = messages().getByRole('link', { name: 'instagram.com' })
    expect(await link.getAttribute('href')).toBe('https://www.instagram.com/p/cestas')
    await page.reload()
    await page
      .getByRole('button', { name: /Rafael Lima/ })
      .first()
      .click()
    const data = page.getByRole('complementary', { name: 'Dados do contato' })
    await data.getByText('Veio do anúncio: Cestas de Natal').waitFor()
    await data.getByRole('button', { name: 'Fechar' }).click()
    await data.waitFor({ state: 'detached' })
  })

  test('sends a cart: how many, how much', async () => {
    await sheet('Carrinho')
    await locateText('Pedido: 3 itens, R$ 159,90').waitFor()
    await locateText('Entregam amanhã cedo?').waitFor()
    await messages()
      .getByRole('listitem')
      .filter({ hasText: /^2 × Café torrado 500 g/ })
      .getByText('R$ 119,90')
      .waitFor()
    await page.getByRole('option', { name: /Rafael Lima.*Pedido: R\$ 159,90/ }).waitFor()
  })

  test('sends a Pix key, which goes to the clipboard by one press', async () => {
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await sheet('Chave Pix')
    await locateText('lucia.ferreira@example.com').waitFor()
    await locateText('Lúcia Ferreira').waitFor()
    // By a key: a list that still moves to its end takes a button from under the mouse. What it says goes after two seconds, on a busy
    // machine before anybody looked (`mfe-tickets/test/cards.test.tsx` reads it).
    await messages().getByRole('button', { name: 'Copiar chave' }).press('Enter')
    await waitUntil(
      'the key is copied',
      async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'lucia.ferreira@example.com',
    )
  })

  test('changes a message as phones do today: sealed', async () => {
    await rafael().getByLabel('Mensagem de Rafael Lima').fill('Pode ser às sete')
    await phones.keyboard.press('Enter')
    await locateText('Pode ser às sete').waitFor()
    await rafael().locator('.bubble', { hasText: 'Pode ser às sete' }).waitFor()
    await sheet('Editar')
    await rafael().getByText('Editando').waitFor()
    const field = rafael().getByLabel('Mensagem de Rafael Lima')
    await waitUntil('what is edited stands in the field', async () => (await field.inputValue()) === 'Pode ser às sete')
    await field.fill('Pode ser às oito')
    await field.press('Enter')
    await locateText('Pode ser às oito').waitFor()
    await messages()
      .getByRole('listitem')
      .filter({ hasText: 'Pode ser às oito' })
      .getByRole('button', { name: 'Editada' })
      .waitFor()
    expect(await locateText('Pode ser às sete').count()).toBe(0)
  })

  test('sends a photo in HD: it stands there once, with the better file', async () => {
    await sheet('Foto HD')
    const photo = messages().getByRole('button', { name: 'Abrir Em HD, para ler as letras' })
    await photo.waitFor()
    await waitUntil('the better file has taken the place of the small one', async () => {
      const [row] = await sql<{ width: number }[]>`
        select (media->>'width')::int as width from message where body = 'Em HD, para ler as letras'`
      return row?.width === 1200
    })
    expect(await photo.count()).toBe(1)
    const [all] = await sql<{ count: number }[]>`
      select count(*)::int as count from message m join contact c on c.id = m.contact_id
      where c.name like 'Rafael Lima%' and m.media_type = 'image' and m.media->>'width' in ('300', '1200')`
    expect(all?.count).toBe(1)
  })

  test.each([
    [1440, 900],
    [390, 844],
  ])('at %d × %d all of it fits and nothing is an obstacle, in light and in dark', async (width, height) => {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await setColorScheme(page, colorScheme)
      await locateText('Pedido: 3 itens, R$ 159,90').scrollIntoViewIfNeeded()
      await picture(`${width}-${colorScheme}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      const wide = await messages()
        .locator('.m-bubble')
        .evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length)
      expect(wide).toBe(0)
      expect(await findAccessibilityIssues(page)).toEqual([])
    }
  })

  test('nothing complained on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})

function messages(): Locator {
  return locateMessages(page)
}

/** Words as they stand there, and not as they are announced. */
function locateText(text: string): Locator {
  return messages().getByText(text, { exact: true })
}

function rafael(): Locator {
  return phones.getByRole('region', { name: 'Telefone de Rafael Lima' })
}

/** Opens the sheet of what a phone sends and chooses from it. */
async function sheet(name: string): Promise<void> {
  await rafael().getByRole('button', { name: 'Anexar' }).click()
  await rafael().getByRole('button', { name, exact: true }).click()
}

/** For who wants to look: PICTURES names a folder. */
async function picture(name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
}
