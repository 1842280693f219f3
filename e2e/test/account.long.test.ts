// The account in a browser: a one-time password has to be changed, a password can be (spec 1 §4, spec 2 §5).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn as enter, resumeSession } from '@balcao/client/session'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, openDesk, signIn } from '../src/desk.ts'
import { signInAdministrator } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FIRST = 'Primeira#1'
const SECOND = 'Segunda#22'
let browser: Browser
let world: TestSystem
let folder: string
let license = 'OK'
const licenses = Bun.serve({ port: 0, fetch: () => Response.json({ status: license }) })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-notes-'))
  const NOTES_FILE = join(folder, 'notes.md')
  await writeFile(NOTES_FILE, '## Versão 7.2\n\n- Senhas provisórias\n')
  const env = {
    NOTES_FILE,
    PRIMARY_COLOR: '#0b6e4f',
    INVOICES_URL: 'https://financeiro.example/boletos',
    INVOICES_SECRET: 'um segredo das faturas',
    SUPPORT_URL: 'https://suporte.example',
    LICENSE_URL: licenses.url.origin,
    COMPANY_TAX_ID: '12345678000195',
  }
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ env })])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await licenses.stop(true)
  await rm(folder, { recursive: true, force: true })
})

describe('a one-time password', () => {
  let desk: DeskSession
  let page: Page

  test('leads to a page that allows nothing but changing it', async () => {
    const password = await reset('user')
    desk = await openDesk(browser)
    page = desk.page
    await fillSignIn(page, 'user', password)
    await page.getByRole('heading', { name: /escolha sua senha/ }).waitFor()
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('heading', { name: /escolha sua senha/ }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await findAccessibilityIssues(page)).toEqual([])

    await fields(page, '', '', '')
    await page.getByText('Por favor, preencha todos os campos!').waitFor()
    await fields(page, password, FIRST, SECOND)
    await page.getByText('Senhas preenchidas não coincidem!').waitFor()
    await fields(page, password, 'fraca', 'fraca')
    await page.getByText('A senha deve ter no mínimo 8 caracteres.').waitFor()
    await fields(page, password, FIRST, FIRST)
    await page.getByText('Senha trocada.').waitFor()
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
  })

  test('the notes show themselves once in the session', async () => {
    const notes = page.getByRole('dialog', { name: 'Novidades' })
    await notes.getByText('Senhas provisórias').waitFor()
    await notes.getByRole('button', { name: 'Entendi' }).click()
    await page.reload()
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    expect(await notes.count()).toBe(0)
    await userMenu(page, 'Novidades')
    await notes.waitFor()
    await page.keyboard.press('Escape')
  })

  test('decisions-2 §23: a terminal stands among one’s devices and is ended there', async () => {
    const { api, signOut } = await enter(world.url, { email: findAccount('user').email, password: FIRST })
    const { token } = await api('POST /auth/terminal', { body: { name: 'servidor de relatórios' } })
    await signOut()
    await userMenu(page, 'Meus aparelhos')
    const devices = page.getByRole('dialog', { name: 'Meus aparelhos' })
    const ends = devices.getByRole('button', { name: 'Encerrar servidor de relatórios' })
    await ends.waitFor()
    await devices.getByText('este aparelho').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await ends.click()
    await ends.waitFor({ state: 'detached' })
    const refused = await resumeSession(world.url, token).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'ERR_SESSION_EXPIRED' })
    await page.keyboard.press('Escape')
    await devices.waitFor({ state: 'detached' })
  })

  test('the profile shows name and e-mail, and takes a picture', async () => {
    await userMenu(page, 'Meu perfil')
    const profile = page.getByRole('dialog', { name: 'Meu perfil' })
    expect(await profile.getByLabel('E-mail').inputValue()).toBe(findAccount('user').email)
    // A form of the kit stands whole in the shell, which has no classes of a remote.
    await profile.getByLabel('Nome').press('End')
    await page.keyboard.type(' S')
    const [notice, saves] = await Promise.all([
      profile.getByText('1 mudança por salvar').boundingBox(),
      profile.getByRole('button', { name: 'Salvar' }).boundingBox(),
    ])
    expect((saves?.x ?? 0) - (notice?.x ?? 0)).toBeGreaterThan(200)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await profile.locator('input[type=file]').setInputFiles({ name: 'eu.png', mimeType: 'image/png', buffer: PICTURE })
    await page.getByText('Foto trocada.').waitFor()
    await profile.locator('.b-avatar img').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('a file that lies in the browser’s cache is shown to nobody who is not let in', async () => {
    const other = await openDesk(browser)
    await fillSignIn(other.page, 'user', FIRST)
    const picture = other.page.locator('.b-avatar img').first()
    await picture.waitFor()
    const address = new URL((await picture.getAttribute('src')) ?? '', world.url).href
    const open = async () => {
      const tab = await other.page.context().newPage()
      const answer = await tab.goto(address)
      return answer?.status()
    }
    expect(await open()).toBe(200)
    // Signed out beside the browser, which clears no cache: as over plain http.
    await other.page.context().request.delete(`${world.url}/auth/logout`)
    expect(await open()).toBe(401)
    await other.close()
  })

  test('the password changed in the menu signs out the other device, and only the new one is good', async () => {
    const other = await openDesk(browser)
    await fillSignIn(other.page, 'user', FIRST)
    await other.page.getByText('Ao vivo').waitFor({ state: 'attached' })

    await page.getByRole('dialog').getByRole('button', { name: 'Trocar senha' }).click()
    const dialog = page.getByRole('dialog', { name: 'Trocar senha' })
    await dialog.waitFor()
    await fields(page, 'Errada#123', SECOND, SECOND)
    await page.getByText('A senha atual não confere.').waitFor()
    await fields(page, FIRST, SECOND, SECOND)
    await dialog.waitFor({ state: 'detached' })

    await other.page.waitForURL('**/login')
    await fillSignIn(other.page, 'user', FIRST)
    await other.page.getByText('E-mail ou senha não conferem.').waitFor()
    await fillSignIn(other.page, 'user', SECOND)
    await other.page.waitForURL('**/tickets')
    await other.close()
    // A refused call is an error in the console of a browser, here the wanted one.
    expect(desk.complaints.filter(text => !/status of (401|422)/.test(text))).toEqual([])
    await desk.close()
  })
})

describe('for an administrator', () => {
  test('Faturas says for which company and with which password, in the company’s colour', async () => {
    const { page, close } = await signIn(browser, world)
    await page.getByRole('button', { name: 'Entendi' }).click()
    const primary = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--b-primary').trim(),
    )
    expect(primary).toBe('#0b6e4f')
    await page.getByRole('button', { name: 'Faturas' }).click()
    const dialog = page.getByRole('dialog', { name: 'Abrir as faturas?' })
    await dialog.getByText('12.345.678/0001-95').waitFor()
    expect(await dialog.locator('code').textContent()).toMatch(/^[0-9a-f]{8}$/)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await close()
  })

  test('a conversation’s menu tells who sees it, and by which rule', async () => {
    const { page, close } = await signIn(browser, world)
    await page.getByRole('button', { name: 'Entendi' }).click()
    await page.getByRole('option').first().click()
    await page.getByRole('region', { name: 'Mensagens' }).waitFor()
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Quem vê esta conversa' }).click()
    const dialog = page.getByRole('dialog', { name: 'Quem vê esta conversa?' })
    await dialog.locator('.p-dropdown').click()
    await page.locator('.p-dropdown-item', { hasText: 'Marina' }).click()
    await dialog.getByText('Administradores veem todas as conversas.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await close()
  })
})

test('a page whose renewal gets no answer says what it waits for, asks again and is signed in', async () => {
  const { page, close } = await signIn(browser, world, { as: 'gerente' })
  let tries = 0
  await page.route('**/auth/refresh_token', async route => {
    tries += 1
    if (tries > 1) return route.continue()
    // The server has used the cookie, and its answer is lost on the way.
    const request = route.request()
    const lost = await fetch(request.url(), {
      method: 'POST',
      headers: await request.allHeaders(),
      body: request.postData() ?? '',
    })
    expect(lost.status).toBe(200)
  })
  await page.reload({ waitUntil: 'commit' })
  await page.getByText('O servidor não respondeu').waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('tab', { name: /Pausados/ }).waitFor()
  expect([await page.getByText('O servidor não respondeu').count(), tries]).toEqual([0, 2])
  await close()
})

test('a blocked system shows who to call, and ends the sessions that are open', async () => {
  const { page, close } = await signIn(browser, world)
  await page.getByRole('button', { name: 'Entendi' }).click()
  license = 'SUSPENDED'
  await world.killAndRestart()
  await page.waitForURL('**/login')
  const button = page.getByRole('button', { name: 'SISTEMA BLOQUEADO' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  expect(await page.getByRole('link', { name: 'Suporte' }).getAttribute('href')).toBe('https://suporte.example')
  expect(await page.getByRole('link', { name: 'Financeiro' }).getAttribute('href')).toContain('financeiro.example')
  expect(await findAccessibilityIssues(page)).toEqual([])
  await close()
})

function findAccount(profile: string) {
  const account = world.accounts.find(one => one.profile === profile)
  if (!account) throw new Error(`The world has no ${profile}`)
  return account
}

/** As an administrator does it: over HTTP, the answer shows the password once. */
async function reset(profile: string): Promise<string> {
  const call = await signInAdministrator(world)
  const name = encodeURIComponent(findAccount(profile).name)
  const { users } = (await call('GET', `/users?searchParam=${name}`)) as { users: { id: number }[] }
  const { password } = (await call('POST', `/users/reset/${users[0]?.id}`)) as { password: string }
  return password
}

async function fillSignIn(page: Page, profile: string, password: string): Promise<void> {
  if (!page.url().endsWith('/login')) await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').fill(findAccount(profile).email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

async function fields(page: Page, current: string, password: string, confirmation: string): Promise<void> {
  await page.locator('input[name=currentPassword]').fill(current)
  await page.locator('input[name=password]').fill(password)
  await page.locator('input[name=confirmation]').fill(confirmation)
  await page.keyboard.press('Enter')
}

async function userMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Sua conta' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
