// The page of connections by hand: every field of the form with keys, a phone that pairs at night, and what the cards and the menu
// say of a connection (spec 2 §2, §4, §5, §9).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Connection } from '@balcao/contract'
import type { CompanyPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { createKeyboardHand, type InputHand, waitUntilInView } from '../src/hands.ts'
import {
  leaveGreeting,
  pairOnScreen,
  pressShortcut,
  signInAdministrator,
  tabToTarget,
  toggleOptions,
  waitUntil,
} from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let api: Awaited<ReturnType<typeof signInAdministrator>>
const desks: DeskSession[] = []

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  api = await signInAdministrator(world)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

async function openDesk(options: Parameters<typeof signIn>[2] = {}): Promise<Page> {
  const desk = await signIn(browser, world, options)
  desks.push(desk)
  desk.page.setDefaultTimeout(20_000)
  await visit(desk.page, '/connections')
  return desk.page
}

const MESSAGES = {
  greetingMessage: ['Saudação', 'Olá, {{name}}!'],
  greetingBotMessage: ['Saudação do robô', 'Olá, sou o robô.'],
  greetingMessageRedirect: ['Ao encaminhar para uma fila', 'Já chamo quem cuida disso.'],
  farewellMessage: ['Despedida', 'Até logo!'],
  npsMessage: ['Pedido de avaliação', 'Que nota você dá, de 1 a 5?'],
  npsTksMessage: ['Agradecimento da avaliação', 'Anotado, obrigado!'],
} as const

describe('spec 2 §2, §5 "Connection form": with the keyboard, its queues from their list', () => {
  let page: Page
  let keys: InputHand
  let form: Locator
  beforeAll(async () => {
    page = await openDesk()
    keys = createKeyboardHand(page)
  }, 60_000)

  test('in two steps: how it is connected, then who attends; every field is written, said what is wrong with it, and kept', async () => {
    await page.getByText('Loja Centro').first().waitFor()
    await pressShortcut(page, 'n')
    form = page.getByRole('dialog', { name: 'Adicionar conexão' })
    await form.waitFor()
    await page.keyboard.type('O')
    await chooseKind('Meta Cloud API')
    await keys.write(form.getByLabel('ID do número de telefone'), 'abc')
    await submit('Continuar')
    for (const wrong of ['Escreva um pouco mais', 'Só números, como a Meta mostra'])
      await form.getByText(new RegExp(wrong)).first().waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])

    await over(form.getByLabel('Nome'), 'Oficial Matriz')
    await over(form.getByLabel('ID do número de telefone'), '55010001')
    await over(form.getByLabel('ID da conta do WhatsApp Business'), '77020002')
    await over(named('Chave de acesso'), 'EAAG-segredo-da-matriz')
    await submit('Continuar')
    await form.waitFor({ state: 'detached' })
    form = page.getByRole('dialog', { name: 'Ligar a Meta a “Oficial Matriz”' })
    await submit('Continuar')
    form = page.getByRole('dialog', { name: 'Quem atende “Oficial Matriz”' })
    await chooseQueues('Comercial', 'Financeiro')
    await submit('Concluir')
    await form.getByText('Com mais de uma fila, escreva a saudação').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await over(named('Saudação'), MESSAGES.greetingMessage[1])
    await submit('Concluir')
    await form.waitFor({ state: 'detached' })

    await keys.press(page.getByRole('button', { name: /^Mais opções de Oficial.Matriz/ }))
    await page.getByRole('menuitem', { name: 'Editar' }).waitFor()
    await menuItem('Editar')
    form = page.getByRole('dialog', { name: /^Editar “Oficial.Matriz”/ })
    for (const label of ['Conexão padrão', 'Pedir nota ao encerrar']) {
      await tabToTarget(page, form.getByRole('switch', { name: label }))
      await page.keyboard.press('Space')
    }
    for (const [label, text] of Object.values(MESSAGES)) await over(named(label), text)
    await unfold('Robô externo (Typebot)')
    await over(form.getByLabel('Endereço do Typebot'), 'typebot.io')
    await over(form.getByLabel('Identificador público do robô'), 'loja-matriz')
    await submit('Salvar')
    await form.getByText('Comece com https://').waitFor()
    await over(form.getByLabel('Endereço do Typebot'), 'https://typebot.io')
    await submit('Salvar')
    await form.waitFor({ state: 'detached' })
    const saved = await fetchConnection('Oficial Matriz')
    expect(saved).toMatchObject({
      ...Object.fromEntries(Object.entries(MESSAGES).map(([name, [, text]]) => [name, text])),
      ...{ api: 'cloud_api', isDefault: true, nps: true, metaIntegration: true },
      ...{ phoneNumberId: '55010001', wabaId: '77020002', hasToken: true },
      ...{ publicDNSTypebot: 'https://typebot.io', publicIDTypebot: 'loja-matriz' },
    })
    expect(saved.queues.map(({ name }) => name).sort()).toEqual(['Comercial', 'Financeiro'])
    // What the number is asked by never leaves the server again, and another one is no longer the default.
    expect(JSON.stringify(saved)).not.toContain('segredo')
    const all = (await api('GET', '/whatsapp')) as Connection[]
    expect(all.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(['Oficial Matriz'])
  })

  test('changed, name and kind are locked, and an empty key keeps the one there is', async () => {
    await visit(page, '/connections')
    await keys.press(page.getByRole('button', { name: 'Mais opções de Oficial Matriz' }))
    await page.getByRole('menuitem', { name: 'Editar' }).waitFor()
    await menuItem('Editar')
    form = page.getByRole('dialog', { name: 'Editar “Oficial Matriz”' })
    await form.waitFor()
    expect(await form.getByLabel('Nome').isDisabled()).toBe(true)
    expect(await form.getByRole('radio').count()).toBe(1)
    expect(await form.getByRole('radio').isDisabled()).toBe(true)
    expect(await named('Chave de acesso').inputValue()).toBe('')
    await form.getByText('Deixe vazio para manter a chave atual.').waitFor()
    for (const [label, text] of Object.values(MESSAGES)) expect(await named(label).inputValue()).toBe(text)
    await over(named('Despedida'), 'Volte sempre!')
    await submit('Salvar')
    await form.waitFor({ state: 'detached' })
    expect(await fetchConnection('Oficial Matriz')).toMatchObject({ farewellMessage: 'Volte sempre!', hasToken: true })
  })

  /** A field by its label, whether it must be filled in or not. */
  function named(label: string): Locator {
    return form.getByLabel(new RegExp(`^${label}\\s*\\*?$`))
  }

  async function chooseKind(label: string): Promise<void> {
    const wanted = form.getByRole('radio', { name: label })
    await tabToTarget(page, form.getByRole('radio'))
    for (let presses = 0; presses < 5 && !(await wanted.isChecked()); presses++) await page.keyboard.press('ArrowDown')
    expect(await wanted.isChecked()).toBe(true)
  }

  async function chooseQueues(...names: string[]): Promise<void> {
    await form.locator('.p-multiselect').click()
    await page.getByRole('option').first().waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await toggleOptions(page, names)
  }

  /** In place of what stands there. */
  async function over(field: Locator, text: string): Promise<void> {
    await tabToTarget(page, field)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    expect(await field.inputValue()).toBe(text)
  }

  async function unfold(title: string): Promise<void> {
    const section = form.locator('summary,button').filter({ hasText: title }).first()
    await tabToTarget(page, section)
    await page.keyboard.press('Enter')
  }

  async function submit(label: string): Promise<void> {
    await tabToTarget(page, form.getByRole('button', { name: label, exact: true }))
    await page.keyboard.press('Enter')
  }

  async function menuItem(name: string): Promise<void> {
    const item = page.getByRole('menuitem', { name })
    for (let presses = 0; presses < 9 && !(await item.evaluate(one => one === document.activeElement)); presses++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
})

describe('spec 2 §2, §4: on a phone at night', () => {
  test('a connection is added and paired by its code, taken apart, and paired again by characters', async () => {
    const page = await openDesk({ width: 390, height: 844, colorScheme: 'dark', touch: true })
    await page.getByRole('button', { name: 'Adicionar conexão' }).tap()
    const form = page.getByRole('dialog')
    await form.getByLabel('Nome').fill('Filial Norte')
    await form.getByRole('button', { name: 'Outras formas' }).tap()
    await form.getByText('API 3 M').tap()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.evaluate(watchCode)
    await form.getByRole('button', { name: 'Continuar' }).tap()
    const phone = world.simulator.find('Celular da filial') as CompanyPagePhone
    await page.getByRole('img', { name: /^QR code para conectar/ }).waitFor()
    const seen = await page.evaluate(() => (window as unknown as { codePlaces: string[] }).codePlaces)
    // A grey place of its size holds it free: the code comes into it, and what stands below stays where it is.
    const [place] = seen[0]?.match(/\d.*/) ?? []
    expect(seen).toEqual([`grey ${place}`, `code ${place}`])
    // All of the code is on the screen, or no camera reads it.
    await waitUntilInView(page, page.locator('[data-qr]'))
    expect(await findAccessibilityIssues(page)).toEqual([])
    await pairOnScreen(page, 'Filial_Norte', phone)
    await leaveGreeting(page)

    const card = page.getByRole('listitem').filter({ hasText: 'Filial_Norte' })
    await card.getByRole('button', { name: 'Desconectar' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Desconectar' }).tap()
    await waitUntil('the phone lists no device', () => phone.whatsapp.linked.length === 0)
    await card.getByRole('button', { name: 'Parear por código' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('123')
    await dialog.getByRole('button', { name: 'Pedir código' }).tap()
    await dialog.getByText('Número de telefone inválido').waitFor()
    await dialog.getByRole('textbox').fill('55 31 99711-4466')
    await dialog.getByRole('button', { name: 'Pedir código' }).tap()
    const code = page.locator('[data-pair-code]')
    await code.waitFor()
    await waitUntilInView(page, code)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await phone.whatsapp.enterCode((await code.getAttribute('data-pair-code')) ?? '')
    await card.getByText('Conectada').waitFor()
    await dialog.waitFor({ state: 'detached' })
  })
})

/** In the page: notes what stands in the place of the code and where, with what follows it, in every frame that draws it otherwise. */
function watchCode() {
  const places: string[] = []
  Object.assign(window, { codePlaces: places })
  const note = () => {
    const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
    const square = dialog?.querySelector('.aspect-square:has(.b-bone, .animate-pulse), [data-qr]')
    const steps = dialog?.querySelector('ol')
    if (square && steps) {
      const inner = square.querySelector('svg[role=img], .b-bone, .animate-pulse')
      const { left, top, width, height } = square.getBoundingClientRect()
      // A dialog that still rises takes all of it along.
      const above = dialog?.getBoundingClientRect().top ?? 0
      const kind = inner?.matches('svg') ? 'code' : 'grey'
      const place = `${kind} ${[left, top - above, width, height, steps.getBoundingClientRect().top - above].map(Math.round).join(' ')}`
      if (places.at(-1) !== place) places.push(place)
    }
    requestAnimationFrame(note)
  }
  note()
}

describe('spec 2 §2, §9: what the cards and the menu say', () => {
  test('battery, low below 20; the last update by day and minute', async () => {
    const page = await openDesk()
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
  })

  test('the menu warns of a connection that is down, two seconds after the page is there, and stops as it is back', async () => {
    const page = await openDesk()
    const badge = page.getByRole('link', { name: /Conexões.*precisa de você/ })
    await page.clock.install()
    let lists = 0
    page.on('response', answer => {
      if (new URL(answer.url()).pathname === '/whatsapp' && answer.ok()) lists++
    })
    await change({ status: 'CONNECTED', all: true })
    await change({ status: 'qrcode' })
    await loadForTwoSeconds()
    await badge.waitFor()
    await change({ status: 'CONNECTED' })
    // Every one of them is back: the page has read the list, and the menu after it.
    lists = 0
    await loadForTwoSeconds()
    await waitUntil('the menu has read the list', () => lists > 1)
    await page.clock.runFor(500)
    expect(await badge.count()).toBe(0)

    async function loadForTwoSeconds(): Promise<void> {
      await page.reload()
      await page.getByText('Ao vivo').waitFor({ state: 'attached' })
      await page.clock.runFor(2100)
    }
  })
})

test('nothing complained', () => {
  // What was refused the browser itself notes.
  const complaints = desks
    .flatMap(desk => desk.complaints)
    .filter(one => !/status of 422.* \/whatsapp(\/\d+)?$/.test(one))
  expect(complaints).toEqual([])
})

interface ConnectionPatch {
  readonly battery?: number | null
  readonly updatedAt?: string
  readonly status?: string
  /** Every connection; otherwise the shop's. */
  readonly all?: boolean
}

/** As a phone and its owner would tell it. */
async function change({ battery = null, updatedAt, status, all = false }: ConnectionPatch): Promise<void> {
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`
    update whatsapp set battery = ${battery}, updated_at = coalesce(${updatedAt ?? null}::timestamptz, updated_at),
      status = coalesce(${status ?? null}, status), version = version + 1
    where (${all} or name = 'Loja Centro') and deleted_at is null`
  await sql.end()
}

async function fetchConnection(name: string): Promise<Connection> {
  const all = (await api('GET', '/whatsapp')) as Connection[]
  const found = all.find(one => one.name === name)
  if (!found) throw new Error(`There is no ${name}`)
  return found
}
