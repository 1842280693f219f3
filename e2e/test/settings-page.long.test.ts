// The settings: a short page for each group, one behind the other, all of them found by one search, nothing lost between them.
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { pressShortcut, signInAdministrator, tabToTarget, waitUntil } from '../src/steps.ts'

const GROUPS = [
  'Dias e horários',
  'Feriados',
  'Mensagens automáticas',
  'Atendimentos',
  'Grupos e chamadas',
  'Quem vê o quê',
  'Histórico',
  'Robô e IA',
  'Envios',
  'Sons e avisos',
  'API e sistema',
]
/** The whole page had 1,218. */
const MOST_WORDS = 260

const { world, desk, page } = await openTestSystem()
const api = await signInAdministrator(world)
const groups = () => page.getByRole('navigation', { name: 'Partes das configurações' })
const title = (name: string) => page.getByRole('heading', { level: 2, name })
const transfer = () => page.getByRole('textbox', { name: 'Mensagem de transferência' })

describe('a group is a page of its own', () => {
  test('one at a time, short, at an address that opens it again, with every target large enough', async () => {
    await visit(page, '/Settings')
    for (const name of GROUPS) {
      await groups().getByRole('link', { name }).click()
      await title(name).waitFor()
      expect(await page.locator('[data-group]').count()).toBe(1)
      expect(await groups().locator('[aria-current=page]').textContent()).toBe(name)
      const words = (await page.locator('.b-page').allInnerTexts()).join(' ').split(/\s+/).length
      expect([name, words < MOST_WORDS]).toEqual([name, true])
      expect([name, await findAccessibilityIssues(page)]).toEqual([name, []])
    }
    await page.goBack()
    await title('Sons e avisos').waitFor()
    await page.reload()
    await title('Sons e avisos').waitFor()
  })

  test('the list of groups stays in view at 1440 and at 1024, however far one reads', async () => {
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 600 })
      await visit(page, '/Settings/system')
      await title('API e sistema').waitFor()
      await page.locator('.b-page').evaluate(box => box.scrollTo(0, box.scrollHeight))
      const link = groups().getByRole('link', { name: 'Feriados' })
      await waitUntil('the page is scrolled', () => page.locator('.b-page').evaluate(box => box.scrollTop > 0))
      const box = await link.boundingBox()
      expect(box !== null && box.y > 0 && box.y < 600).toBe(true)
      await link.click()
      await title('Feriados').waitFor()
      expect(await page.locator('.b-page').evaluate(box => box.scrollTop)).toBe(0)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('on a phone one field leads from group to group, and nothing runs out sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/Settings')
    await title('Dias e horários').waitFor()
    for (const name of ['Quem vê o quê', 'API e sistema']) {
      await page.locator('.b-page .p-dropdown').first().click()
      await page.getByRole('option', { name }).click()
      await title(name).waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      expect(await page.locator('.b-page').evaluate(box => box.scrollWidth <= box.clientWidth)).toBe(true)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('with the keyboard alone: to a group, to its first setting, and back to the search', async () => {
    await visit(page, '/Settings')
    await title('Dias e horários').waitFor()
    await tabToTarget(page, groups().getByRole('link', { name: 'Envios' }))
    await page.keyboard.press('Enter')
    await title('Envios').waitFor()
    await tabToTarget(page, page.getByRole('switch', { name: 'Agendador' }))
    await pressShortcut(page, '/')
    await page.keyboard.type('almoço')
    await page.getByLabel('Almoço de').waitFor()
    await page.keyboard.press('Escape')
    await title('Envios').waitFor()
  })
})

describe('between the groups', () => {
  test('what was written and not saved stays when the group is changed, and its group says so; the browser asks before it goes', async () => {
    await visit(page, '/Settings/messages')
    const stored = await transfer().inputValue()
    await transfer().fill('Agora é com {{user}}.')
    await groups().getByRole('link', { name: 'Robô e IA' }).click()
    await title('Robô e IA').waitFor()
    await groups()
      .getByRole('link', { name: /Mensagens automáticas.*não salvo/ })
      .waitFor()
    expect(await isHeld(page)).toBe(true)
    await page.getByRole('link', { name: 'Filas' }).click()
    await page.getByRole('button', { name: 'Voltar', exact: true }).click()
    await title('Mensagens automáticas').waitFor()
    expect(await transfer().inputValue()).toBe('Agora é com {{user}}.')
    await page.getByRole('button', { name: 'Desfazer' }).click()
    expect(await transfer().inputValue()).toBe(stored)
    expect(await isHeld(page)).toBe(false)
    expect(await groups().getByText('não salvo').count()).toBe(0)
  })

  test('the search finds the settings of all groups from any of them; without it the group of before stands there', async () => {
    await visit(page, '/Settings/notices')
    await title('Sons e avisos').waitFor()
    const search = page.getByRole('searchbox', { name: 'Buscar ajuste' })
    await search.fill('fila')
    await page.getByText(/ajustes falam de “fila”/).waitFor()
    expect(await page.locator('[data-group]').count()).toBeGreaterThan(2)
    const history = groups().getByRole('button', { name: /Histórico/ })
    await history.click()
    await waitUntil('what was found there is in view', () =>
      title('Histórico').evaluate(head => head.getBoundingClientRect().bottom < innerHeight),
    )
    await search.fill('')
    await title('Sons e avisos').waitFor()
    expect(await page.locator('[data-group]').count()).toBe(1)
  })

  test('a link from elsewhere opens the group of its setting, and the setting is ready to be changed', async () => {
    await api('PUT', '/settings', { values: { allowAgendador: 'disabled' } })
    await visit(page, '/agendamentos')
    await page.getByRole('button', { name: 'Abrir as configurações' }).click()
    await title('Envios').waitFor()
    const scheduler = page.getByRole('switch', { name: 'Agendador' })
    await waitUntil('its switch has the focus', () => scheduler.evaluate(one => one === document.activeElement))
    await page.keyboard.press('Space')
    await page.getByText(/^Salvo às/).waitFor()
    await visit(page, '/perguntas')
    await page.getByText('99 e 00 são fixos').getByRole('link', { name: 'Configurações' }).click()
    await title('Robô e IA').waitFor()
  })
})

test('nothing complained', () => expect(desk.complaints).toEqual([]))

/** Whether the browser would ask before it leaves. */
function isHeld(at: Page): Promise<boolean> {
  return at.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
}
