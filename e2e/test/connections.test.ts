// The page of connections by hand: a phone that pairs at night, and what the cards and the menu
// say of a connection (spec 2 §2, §4, §5, §9).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CompanyPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { accessibilityFindings, type Desk, signIn } from '../src/desk.ts'
import { untilInView } from '../src/hands.ts'
import { pairOnScreen, until } from '../src/steps.ts'
import { startWorld, type World } from '../src/world.ts'

let browser: Browser
let world: World
const desks: Desk[] = []

beforeAll(async () => {
  const postgresUrl = process.env.TEST_PG
  ;[browser, world] = await Promise.all([launchBrowser(), startWorld(postgresUrl ? { postgresUrl } : {})])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

async function opened(options: Parameters<typeof signIn>[2] = {}): Promise<Page> {
  const desk = await signIn(browser, world, options)
  desks.push(desk)
  desk.page.setDefaultTimeout(20_000)
  await desk.page.goto(`${world.url}/connections`)
  return desk.page
}

describe('spec 2 §2, §4: on a phone at night', () => {
  test('a connection is added and paired by its code, taken apart, and paired again by characters', async () => {
    const page = await opened({ width: 390, height: 844, colorScheme: 'dark', touch: true })
    await page.getByRole('button', { name: 'Adicionar conexão' }).tap()
    const form = page.getByRole('dialog')
    await form.getByLabel('Nome').fill('Filial Norte')
    await form.getByText('API 3 M').tap()
    expect(await accessibilityFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Adicionar' }).tap()
    const phone = world.simulator.find('Celular da filial') as CompanyPagePhone
    await page.locator('[data-qr]').waitFor()
    // All of the code is on the screen, or no camera reads it.
    await untilInView(page, page.locator('[data-qr]'))
    expect(await accessibilityFindings(page)).toEqual([])
    await pairOnScreen(page, 'Filial_Norte', phone)

    const card = page.getByRole('listitem').filter({ hasText: 'Filial_Norte' })
    await card.getByRole('button', { name: 'Desconectar' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Desconectar' }).tap()
    await until('the phone lists no device', () => phone.whatsapp.linked.length === 0)
    await card.getByRole('button', { name: 'Parear por código' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('123')
    await dialog.getByRole('button', { name: 'Pedir código' }).tap()
    await dialog.getByText('Número de telefone inválido').waitFor()
    await dialog.getByRole('textbox').fill('55 31 99711-4466')
    await dialog.getByRole('button', { name: 'Pedir código' }).tap()
    const code = page.locator('[data-pair-code]')
    await code.waitFor()
    await untilInView(page, code)
    expect(await accessibilityFindings(page)).toEqual([])
    await phone.whatsapp.enterCode((await code.getAttribute('data-pair-code')) ?? '')
    await card.getByText('Conectada').waitFor()
    await dialog.waitFor({ state: 'detached' })
  }, 120_000)
})

describe('spec 2 §2, §9: what the cards and the menu say', () => {
  test('battery, low below 20; the last update by day and minute', async () => {
    const page = await opened()
    const card = page.getByRole('listitem').filter({ hasText: 'Loja Centro' })
    await card.waitFor()
    for (const [battery, words] of [
      [20, 'Bateria: 20%'],
      [19, 'Bateria: 19% · bateria baixa'],
      [null, null],
    ] as const) {
      await change({ battery, updatedAt: '2026-11-03T12:05:00Z' })
      await page.getByRole('button', { name: 'Atualizar' }).click()
      if (words === null) await card.getByText(/^Bateria:/).waitFor({ state: 'detached' })
      else await card.getByText(words, { exact: true }).waitFor({ state: 'attached' })
      await card.getByText('Atualizada em 03/11/26 09:05').waitFor()
    }
  }, 60_000)

  test('the menu warns of a connection that is down, two seconds after the page is there, and stops as it is back', async () => {
    const page = await opened()
    const badge = page.getByRole('link', { name: /Conexões.*precisa de você/ })
    await change({ status: 'DISCONNECTED' })
    await page.reload()
    const loaded = Date.now()
    await badge.waitFor()
    expect(Date.now() - loaded).toBeGreaterThan(1000)
    // Every one of them is back.
    await change({ status: 'CONNECTED', all: true })
    await page.reload()
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    await page.waitForResponse(answer => new URL(answer.url()).pathname === '/whatsapp' && answer.ok())
    await Bun.sleep(2500)
    expect(await badge.count()).toBe(0)
    for (const status of ['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING']) {
      await change({ status })
      await page.reload()
      await badge.waitFor()
      await change({ status: 'CONNECTED', all: true })
    }
  }, 120_000)
})

test('nothing complained', () => {
  // What was refused the browser itself notes.
  const complaints = desks
    .flatMap(desk => desk.complaints)
    .filter(one => !/status of 422.* \/whatsapp(\/\d+)?$/.test(one))
  expect(complaints).toEqual([])
})

interface Changed {
  readonly battery?: number | null
  readonly updatedAt?: string
  readonly status?: string
  /** Every connection; otherwise the shop's. */
  readonly all?: boolean
}

/** As a phone and its owner would tell it. */
async function change({ battery = null, updatedAt, status, all = false }: Changed): Promise<void> {
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`
    update whatsapp set battery = ${battery}, updated_at = coalesce(${updatedAt ?? null}::timestamptz, updated_at),
      status = coalesce(${status ?? null}, status), version = version + 1
    where (${all} or name = 'Loja Centro') and deleted_at is null`
  await sql.end()
}
