// What customers gave (spec 3 §2 "NPS", §6): an admin reads it live, opens a ticket of it and takes a sheet; nobody else gets any of it.
import { describe, expect, test } from 'bun:test'
import { readSheetRows } from '../../backend/test/sheet-files.ts'
import { findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { signInAdministrator } from '../src/steps.ts'

const { browser, world, desk, page, sql } = await openTestSystem()
const api = await signInAdministrator(world)

describe('spec 3 §2: NPS', () => {
  test('of nothing it says so, and shows no figure that is none', async () => {
    await visit(page, '/Nps')
    await page
      .getByText(
        /^Ninguém deu nota em (janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)$/,
      )
      .waitFor()
    await page.getByText('Nenhuma pesquisa saiu neste período.').waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/NaN|undefined|null/)
  })

  test('a survey that goes out and the rating that comes stand there without a reload', async () => {
    const [open] = await sql<{ id: number; name: string; shop: number }[]>`
      select t.id, c.name, t.whatsapp_id as shop from ticket t join contact c on c.id = t.contact_id
      where t.status = 'open' and not t.is_group order by t.id limit 1`
    await sql`update whatsapp set nps = true, nps_message = 'Que nota?' where id = ${open?.shop ?? 0}`
    const id = open?.id ?? 0
    await api('PUT', `/tickets/${id}`, { status: 'closed' })
    await page.getByText('1 ainda pode responder.').waitFor()
    await sql`
      insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate)
      select id, contact_id, whatsapp_id, queue_id, user_id, 2 from ticket where id = ${id}`
    await api('PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })
    const row = page.getByRole('row', { name: new RegExp(open?.name ?? '?') })
    await row.getByText('2 · Ruim').waitFor()
    // The sums are asked for by themselves, a moment after the row.
    await page.locator('[data-nps=mean]').filter({ hasText: '2,0' }).waitFor()
    await page.locator('[data-nps=answered]').getByText('de 1 pedido').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('opens the ticket in another tab; the two other actions stay disabled', async () => {
    const actions = page.getByRole('table', { name: 'Notas', exact: true }).getByRole('row').nth(1)
    expect(await actions.getByRole('button', { name: /não se edita/ }).isDisabled()).toBe(true)
    expect(await actions.getByRole('button', { name: /não se apaga/ }).isDisabled()).toBe(true)
    const opened = desk.context.waitForEvent('page')
    await actions.getByRole('button', { name: /em outra aba$/ }).click()
    const other = await opened
    await other.waitForURL(/\/tickets\/\d+/)
    await other.close()
  })

  test('by connection and by low ratings alone; with the keyboard', async () => {
    await page.getByRole('tab', { name: /^Todas/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: /^Baixas/, selected: true }).waitFor()
    await page.getByText('2 · Ruim').first().waitFor()
    await page.getByRole('button', { name: 'Conexão' }).focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('menuitemcheckbox')
      .or(page.getByRole('menuitemradio'))
      .or(page.getByRole('menuitem'))
      .last()
      .waitFor()
    await page.keyboard.press('Escape')
  })

  test('a period that ends before it begins is said so, and what stood there stays', async () => {
    const readDates = () => Promise.all(['De', 'até'].map(name => page.getByLabel(name, { exact: true }).inputValue()))
    const month = await readDates()
    await page.getByLabel('até', { exact: true }).fill('2020-01-01')
    await page.getByText('O começo vem depois do fim.').waitFor()
    await page.getByText('2 · Ruim').first().waitFor()
    await page.getByLabel('De', { exact: true }).fill('2019-12-01')
    await page.getByText('Nada com estes filtros').waitFor()
    await page.getByText('Neste período, nenhuma nota.').waitFor()
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.getByText('2 · Ruim').first().waitFor()
    // The dates are those of what is shown again.
    expect(await readDates()).toEqual(month)
  })

  test('as a sheet, which holds what the page shows', async () => {
    await page.getByRole('button', { name: 'Planilha' }).click()
    await page.getByRole('button', { name: 'Tarefas', exact: true }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Baixar notas.xlsx' }).click()
    const rows = await readSheetRows(await (await saved).path(), 'notas.xlsx')
    expect(rows.slice(1).map(cells => cells[2])).toEqual(['2'])
    await page.keyboard.press('Escape')
  })

  test('decisions §4: a manager and an attendant are sent away', async () => {
    for (const as of ['gerente', 'user'] as const) {
      const other = await signIn(browser, world, { as, width: 1440, height: 900 })
      await other.page.getByRole('link', { name: 'Contatos' }).first().waitFor()
      expect(await other.page.getByRole('link', { name: 'NPS' }).count()).toBe(0)
      await visit(other.page, '/Nps')
      await other.page.waitForURL('**/tickets')
      await other.page.getByText('Você não tem permissão para acessar essa página').first().waitFor()
      await other.close()
    }
  })
})
