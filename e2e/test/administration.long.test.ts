// The administration as people use it: by keyboard alone, on a phone, with large text, in each language, while colleagues change the same
// things, and with hands that slip.
import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { signIn, visit } from '../src/desk.ts'
import { createKeyboardHand } from '../src/hands.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { pressShortcut, signInAdministrator, tabToTarget, waitUntil } from '../src/steps.ts'

const PAGES = ['/Settings', '/users', '/Queues', '/connections', '/log'] as const
const LANGUAGES = ['en', 'es'] as const

const { browser, world, desk, page } = await openTestSystem()
const api = await signInAdministrator(world)

describe('what a colleague does meanwhile', () => {
  test('spec 2 §4 "Queues": who has a deleted queue open is told at once, and keeps the words', async () => {
    const { id } = (await api('POST', '/queue', { name: 'Passageira', color: '#123456' })) as { id: number }
    await visit(page, '/Queues')
    await page.getByRole('button', { name: 'Editar Passageira' }).click()
    const form = page.getByRole('dialog', { name: 'Editar fila' })
    await form.getByLabel('Saudação').fill('Um instante, por favor')
    await api('DELETE', `/queue/${id}`)
    await form.getByText(/^Outra pessoa apagou isto às \d\d:\d\d\./).waitFor()
    expect(await form.getByRole('button', { name: 'Salvar' }).isDisabled()).toBe(true)
    expect(await form.getByLabel('Saudação').inputValue()).toBe('Um instante, por favor')
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Descartar' }).click()
    await form.waitFor({ state: 'detached' })
  })

  test('spec 2 §4 "Connections": so is who has a deleted connection open', async () => {
    const { id } = (await api('POST', '/whatsapp', { name: 'Passageira', api: 'baileys' })) as { id: number }
    await visit(page, '/connections')
    await page.getByRole('button', { name: 'Mais opções de Passageira' }).click()
    await page.getByRole('menuitem', { name: 'Editar' }).click()
    const form = page.getByRole('dialog')
    await api('DELETE', `/whatsapp/${id}`)
    await form.getByText(/^Outra pessoa apagou isto às \d\d:\d\d\./).waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })
})

describe('hands that slip', () => {
  test('what was written in the settings is there still after a menu link or a search, until it is taken back', async () => {
    await visit(page, '/Settings/messages')
    const search = page.getByRole('searchbox', { name: 'Buscar ajuste' })
    const field = page.getByRole('textbox', { name: 'Mensagem de transferência' })
    await field.fill('Agora é com {{user}}.')
    await search.fill('almoço')
    await field.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Filas' }).click()
    await page.getByText('O que você escreveu em Configurações não foi salvo e continua lá.').waitFor()
    await page.getByRole('button', { name: 'Voltar', exact: true }).click()
    expect(await field.inputValue()).toBe('Agora é com {{user}}.')
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await page.getByRole('link', { name: 'Filas' }).click()
    await page.getByRole('heading', { name: 'Filas' }).waitFor()
    await page.getByRole('link', { name: 'Configurações' }).click()
    await page.getByRole('link', { name: 'Mensagens automáticas' }).click()
    expect(await field.inputValue()).toStartWith('Atendimento encaminhado')
  })

  test('a double click opens a form that can be written in at once', async () => {
    await visit(page, '/connections')
    await page.getByRole('button', { name: 'Adicionar conexão' }).dblclick()
    const form = page.getByRole('dialog', { name: 'Adicionar conexão' })
    await form.waitFor()
    await page.keyboard.type('Loja Sul')
    expect(await form.getByLabel('Nome').inputValue()).toBe('Loja Sul')
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Descartar' }).click()
    await form.waitFor({ state: 'detached' })
  })

  test('a double click opens a question, and answers it with nothing', async () => {
    await api('POST', '/queue', { name: 'Dupla', color: '#654321' })
    await visit(page, '/Queues')
    await page.getByRole('button', { name: 'Excluir Dupla' }).dblclick()
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: 'Excluir fila' }).dblclick()
    await page.getByRole('row', { name: /Dupla/ }).waitFor({ state: 'detached' })
    await question.waitFor({ state: 'detached' })
  })

  test('a question stands at the menu it was chosen from', async () => {
    await visit(page, '/connections')
    const dots = page.getByRole('button', { name: 'Mais opções de Oficial São José' })
    await dots.click()
    await page.getByRole('menuitem', { name: 'Excluir conexão' }).click()
    const [question, menu] = await Promise.all([page.getByRole('dialog').boundingBox(), dots.boundingBox()])
    if (!question || !menu) throw new Error('Nothing is shown')
    expect(Math.abs(question.x + question.width - (menu.x + menu.width))).toBeLessThan(20)
    expect(Math.abs(question.y - (menu.y + menu.height))).toBeLessThan(20)
    await page.keyboard.press('Escape')
  })

  test('a one-time password goes by no slip: neither Escape nor a press beside it takes it away', async () => {
    await visit(page, '/users')
    // Whose hours and queues they are is read without opening anybody.
    await page.getByRole('row', { name: /Bruna Alves.*(Entregas|Suporte|Financeiro|Comercial).*00:00–23:59/ }).waitFor()
    await page.getByRole('button', { name: 'Editar Bruna Alves' }).click()
    const form = page.getByRole('dialog', { name: 'Bruna Alves' })
    await form.getByRole('button', { name: 'Redefinir senha' }).click()
    await page
      .getByRole('dialog', { name: /Redefinir a senha/ })
      .getByRole('button', { name: 'Redefinir senha' })
      .dblclick()
    const shown = page.getByRole('dialog', { name: 'Senha provisória' })
    await shown.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 500)
    await shown.getByText('A senha não foi copiada e não aparece de novo.').waitFor()
    await shown.getByRole('button', { name: 'Voltar' }).click()
    await shown.getByRole('button', { name: 'Copiar senha' }).click()
    await page.getByText('Texto copiado').first().waitFor()
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
    // The form it came from stands there still.
    await form.waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('with the keyboard alone', () => {
  test('a queue, a person and a setting', async () => {
    const { keyboard } = page
    const hand = createKeyboardHand(page)
    await visit(page, '/Queues')
    await page.getByRole('row', { name: /Financeiro/ }).waitFor()
    await pressShortcut(page, 'n')
    await page.getByRole('dialog', { name: 'Adicionar fila' }).waitFor()
    await keyboard.type('Só teclas')
    await keyboard.press('Enter')
    await page.getByRole('row', { name: /Só teclas/ }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await visit(page, '/users')
    await page.getByRole('row', { name: /Bruna Alves/ }).waitFor()
    await pressShortcut(page, 'n')
    const form = page.getByRole('dialog')
    await form.waitFor()
    await keyboard.type('Teresa Teclas')
    await hand.write(form.getByLabel('E-mail'), 'teresa@saojose.example')
    await tabToTarget(page, form.getByRole('tab', { name: 'Atendente' }))
    await keyboard.press('ArrowRight')
    await tabToTarget(page, form.locator('.p-multiselect input').first())
    await keyboard.press('Space')
    const queue = page.getByRole('option', { name: 'Só teclas' })
    await queue.waitFor()
    for (let presses = 0; presses < 9 && (await queue.getAttribute('data-p-focused')) !== 'true'; presses++)
      await keyboard.press('ArrowDown')
    await keyboard.press('Space')
    // Tab leaves the list for what comes next, with what was chosen.
    await keyboard.press('Tab')
    await queue.waitFor({ state: 'detached' })
    await tabToTarget(page, form.getByRole('button', { name: 'Adicionar' }))
    await keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Senha provisória' })
    await shown.waitFor()
    await keyboard.press('Enter')
    await page.getByText('Texto copiado').first().waitFor()
    // It goes once it was copied, and its notice may stand a moment before that is known.
    await waitUntil('it is gone', async () => {
      await keyboard.press('Escape')
      return (await shown.count()) === 0
    })
    const { users } = (await api('GET', '/users?all=true')) as { users: Record<string, unknown>[] }
    expect(users.find(({ name }) => name === 'Teresa Teclas')).toMatchObject({
      profile: 'gerente',
      queues: [{ name: 'Só teclas' }],
    })

    await visit(page, '/Settings')
    await page.getByText('Dias de atendimento').first().waitFor()
    await pressShortcut(page, '/')
    await keyboard.type('sem fila')
    await tabToTarget(page, page.getByRole('switch', { name: 'Conversas sem fila só para administradores' }))
    await keyboard.press('Space')
    await page.getByText(/^Ao ligar: /).waitFor()
    await tabToTarget(page, page.getByRole('button', { name: 'Ligar', exact: true }))
    await keyboard.press('Enter')
    await page.getByText(/^Salvo às \d\d:\d\d$/).waitFor()
    await api('PUT', '/settings/onlyAdminSeeEmptyQueue', { value: 'disabled' })
  })
})

describe('on every screen', () => {
  test('on a laptop nobody’s address is cut, and what is held of a person has room for its words', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await visit(page, '/users')
    for (const { email } of world.accounts) {
      const address = page.getByRole('table').getByTitle(email)
      await address.waitFor()
      expect([email, await address.evaluate(one => one.scrollWidth - one.clientWidth)]).toEqual([email, 0])
    }
    await visit(page, '/privacy')
    await page.getByRole('searchbox').first().fill('Lúcia')
    await page
      .getByRole('main')
      .getByRole('button', { name: /Dona Lúcia/ })
      .first()
      .click()
    const row = page.getByRole('listitem').filter({ hasText: 'Conversas' }).last()
    await row.getByText(/\d+ atendimento/).waitFor()
    expect((await row.boundingBox())?.height).toBeLessThan(60)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('at 390 px titles stand in one line, and the buttons of a question in one row', async () => {
    const phone = await signIn(browser, world, { width: 390, height: 844, touch: true })
    const at = phone.page
    at.setDefaultTimeout(20_000)
    for (const path of PAGES) {
      await visit(at, path)
      await at.getByText('Ao vivo').waitFor({ state: 'attached' })
      const title = at.locator('.s-bar-title')
      const [height = 0, line = 1] = await title.evaluate(one => [
        one.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(one).lineHeight),
      ])
      expect([path, Math.round(height / line)]).toEqual([path, 1])
      expect([path, await isFitting(at)]).toEqual([path, true])
    }
    await visit(at, '/users')
    await at.getByRole('button', { name: 'Mais opções de Bruna Alves' }).click()
    await at.getByRole('menuitem', { name: 'Excluir Bruna Alves' }).click()
    await at.getByRole('dialog').waitFor()
    expect(await countRows(at.locator('.b-dialog-foot button'))).toBe(1)
    await at.keyboard.press('Escape')
    await visit(at, '/connections')
    await at.getByRole('button', { name: 'Mais opções de Loja Centro' }).click()
    await at.getByRole('menuitem', { name: 'Excluir conexão' }).click()
    await at.getByRole('dialog').waitFor()
    expect(await countRows(at.locator('.b-dialog-foot button'))).toBe(1)
    await phone.close()
  })

  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const)
    test(`text of 175 % stays within its place, ${width} px wide`, async () => {
      const large = await signIn(browser, world, { width, height })
      // As somebody has set it in the browser: also what is drawn from which width on goes by it.
      const browsing = await large.context.newCDPSession(large.page)
      await browsing.send('Page.setFontSizes', { fontSizes: { standard: 28 } })
      for (const path of PAGES) {
        await visit(large.page, path)
        expect(await large.page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('28px')
        await large.page.locator('h1,.s-bar-title').first().waitFor()
        await waitUntil(
          `${path} is there`,
          async () => (await large.page.locator('.s-skeleton,[aria-busy=true]').count()) === 0,
        )
        expect([path, await isFitting(large.page), await cutOff(large.page)]).toEqual([path, true, []])
      }
      await visit(large.page, '/users')
      await large.page.getByRole('button', { name: 'Adicionar usuário' }).click()
      const form = large.page.getByRole('dialog')
      await form.getByText('Conexão padrão').waitFor()
      expect(await form.evaluate(box => box.scrollWidth <= box.clientWidth)).toBe(true)
      expect(await cutOff(large.page)).toEqual([])
      await large.close()
    })

  for (const language of LANGUAGES)
    test(`no word is left in Portuguese (${language})`, async () => {
      const words = await portuguese(language)
      const other = await signIn(browser, world)
      await other.page.evaluate(chosen => localStorage.setItem('balcao.language', chosen), language)
      const seen: string[] = []
      for (const path of PAGES) {
        await other.page.goto(world.url + path)
        await other.page.locator('.b-page').first().waitFor()
        await waitUntil(
          `${path} is there`,
          async () => ((await other.page.locator('.b-page').textContent()) ?? '').length > 80,
        )
        seen.push(...(await listTexts(other.page)))
        if (path === '/Settings') continue
        const add = other.page.locator('.b-button.is-primary').first()
        if (path === '/log' || !(await add.isVisible())) continue
        await add.click()
        await other.page.getByRole('dialog').waitFor()
        seen.push(...(await listTexts(other.page)))
        await other.page.keyboard.press('Escape')
      }
      const own = new Set(((await api('GET', '/queue')) as { name: string }[]).map(({ name }) => name))
      expect([...new Set(seen)].filter(text => words.has(text) && !own.has(text))).toEqual([])
      await other.close()
    })
})

test('nothing complained', () => {
  expect(desk.complaints).toEqual([])
})

/** Nothing of the page runs out of it sideways. */
function isFitting(at: Page): Promise<boolean> {
  return at.evaluate(() => {
    const box = document.querySelector('.b-page')
    const { scrollWidth } = document.documentElement
    return scrollWidth <= window.innerWidth && (!box || box.scrollWidth <= box.clientWidth + 1)
  })
}

/** Buttons and labels whose words run out of them. */
function cutOff(at: Page): Promise<string[]> {
  return at.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.b-button,.b-tab,.b-chip,label,h1,h2,h3')]
      .filter(box => box.clientWidth > 0 && getComputedStyle(box).textOverflow !== 'ellipsis')
      .filter(box => box.scrollHeight > box.clientHeight + 3 || box.scrollWidth > box.clientWidth + 3)
      .filter(box => !box.closest('.b-only-read') && getComputedStyle(box).clipPath === 'none')
      .map(box => `${box.className}: ${box.textContent?.slice(0, 40)}`),
  )
}

/** In how many rows they stand. */
async function countRows(buttons: Locator): Promise<number> {
  const tops = await buttons.evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().top)))
  return new Set(tops).size
}

/** Every text of the page, and the names that only readers hear. */
function listTexts(at: Page): Promise<string[]> {
  return at.evaluate(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walk.nextNode()) texts.push(walk.currentNode.textContent?.trim() ?? '')
    for (const one of document.querySelectorAll('[aria-label],[placeholder],[title]'))
      for (const name of ['aria-label', 'placeholder', 'title']) texts.push(one.getAttribute(name)?.trim() ?? '')
    return texts.filter(text => text.length > 1)
  })
}

/** The texts of the product in Portuguese that are others in this language, but for those with something filled in. */
async function portuguese(language: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const known = new Set<string>()
  for (const folder of ['ui/locales', 'shell/locales', 'mfe-admin/locales']) {
    const root = new URL(`../../${folder}/`, import.meta.url).pathname
    for await (const file of new Bun.Glob('**/pt.json').scan(root)) {
      collectTexts(await Bun.file(root + file).json(), found)
      collectTexts(await Bun.file(root + file.replace('pt.json', `${language}.json`)).json(), known)
    }
  }
  return new Set([...found].filter(text => !known.has(text) && !text.includes('{{')))
}

function collectTexts(tree: unknown, all: Set<string>): void {
  if (typeof tree === 'string') all.add(tree)
  else if (typeof tree === 'object' && tree !== null) for (const part of Object.values(tree)) collectTexts(part, all)
}
