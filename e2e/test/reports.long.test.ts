// The manager's reports (spec 3 §2 "Reports", §5; decisions §4; decisions-2 §13, §23): one is made and opened, and an attendant gets
// nothing of it.
import { describe, expect, test } from 'bun:test'
import type { Download, Locator } from 'playwright-core'
import { readPdf } from '../../backend/test/pdf-reader.ts'
import { readSheetRows } from '../../backend/test/sheet-files.ts'
import { findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { findAccount, pressShortcut } from '../src/steps.ts'

const { browser, world, page, sql } = await openTestSystem({ as: 'gerente' })
const own = (
  await sql<{ name: string }[]>`
    select distinct c.name from ticket t join contact c on c.id = t.contact_id
      join user_queue q on q.queue_id = t.queue_id join "user" u on u.id = q.user_id and u.profile = 'gerente'
    where not t.is_group order by c.name`
).map(({ name }) => name)

describe('spec 3 §2: a manager makes and opens a report', () => {
  test('of tickets as PDF: its size before, its progress in the card, and the file has the contacts of the own queues', async () => {
    await visit(page, '/report')
    const card = locateCard('ticket')
    await sinceEver(card)
    await card.getByText(/\d+ atendimentos? neste recorte/).waitFor()
    await card.getByRole('button', { name: 'Gerar' }).click()
    const open = card.getByRole('button', { name: 'Abrir PDF' })
    await open.waitFor({ timeout: 60_000 })
    const tab = page.waitForEvent('popup')
    const answered = page.context().waitForEvent('response', one => one.headers()['content-type'] === 'application/pdf')
    await open.click()
    expect((await answered).headers()['content-disposition']).toStartWith('inline')
    // A browser without a reader of its own saves it.
    const bytes = await (await fetch((await answered).url())).bytes()
    await (await tab).close()
    await page.getByRole('heading', { name: 'Relatórios' }).waitFor()
    expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe('%PDF')
    const text = (await readPdf(bytes)).pages.map(one => one.text).join(' ')
    expect(own.length).toBeGreaterThan(0)
    for (const name of own) expect(text.replace(/\s+/g, '')).toContain(name.replace(/\s+/g, ''))
  })

  test('the same as sheet, by one queue alone', async () => {
    const card = locateCard('ticket')
    const [queue] = await sql<{ name: string }[]>`
      select q.name from queue q join user_queue o on o.queue_id = q.id join "user" u on u.id = o.user_id and u.profile = 'gerente'
      where exists (select 1 from ticket t where t.queue_id = q.id and not t.is_group) order by q.name limit 1`
    await card.locator('.b-select', { has: page.getByLabel('Fila') }).click()
    await page.getByRole('option', { name: queue?.name ?? '', exact: true }).click()
    await card.getByRole('tab', { name: 'Planilha' }).click()
    await card.getByRole('button', { name: 'Gerar' }).click()
    const download = await downloadFrom(card, 'Baixar planilha')
    const cells = (await readSheetRows(await download.path(), 'relatorio.xlsx')).flat()
    const [inIt] = await sql<{ name: string }[]>`
      select c.name from ticket t join contact c on c.id = t.contact_id join queue q on q.id = t.queue_id
      where q.name = ${queue?.name ?? ''} and not t.is_group limit 1`
    expect(cells.some(cell => cell.includes(inIt?.name ?? '?'))).toBe(true)
  })

  test('both stand among those that are ready, also after a reload', async () => {
    await page.reload()
    const ready = page.getByRole('region', { name: 'Prontos' })
    await ready.getByRole('listitem').nth(1).waitFor()
    const saved = page.waitForEvent('download')
    await ready
      .getByRole('button', { name: /^Baixar .*\.pdf$/ })
      .first()
      .click()
    expect((await saved).suggestedFilename()).toMatch(/\.pdf$/)
    // The page is still there: a PDF does not take its place.
    await page.getByRole('heading', { name: 'Relatórios' }).waitFor()
  })

  test('what is missing or the wrong way round is said at its field, and nothing begins', async () => {
    const before = await sql`select 1 from job`
    await page.getByRole('button', { name: 'Conversas de um contato' }).click()
    const card = locateCard('message')
    await card.getByLabel('De').fill('')
    await card.getByRole('button', { name: 'Gerar' }).click()
    await card.getByText('Preencha os campos de data').waitFor()
    await card.getByText('Preencha o campo de contato').waitFor()
    await card.getByLabel('De').fill('2026-11-30')
    await card.getByLabel('Até').fill('2026-11-01')
    await card.getByText('A data final vem antes da inicial').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await sql`select 1 from job`).toHaveLength(before.length)
  })

  test('with the keyboard alone: search, unfold, generate', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Filas', exact: true }).waitFor()
    await pressShortcut(page, '/')
    await page.keyboard.type('filas')
    await locateCard('ticket').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await locateCard('ticket').waitFor()
    await page.getByRole('button', { name: 'Filas', exact: true }).focus()
    await page.keyboard.press('Enter')
    const card = locateCard('queue')
    await page.getByRole('img', { name: /^Relatório de filas: a primeira página/ }).waitFor()
    await card.getByRole('button', { name: 'Gerar' }).press('Enter')
    await card.getByRole('button', { name: 'Abrir PDF' }).waitFor({ timeout: 60_000 })
  })
})

describe('decisions §4: an attendant gets nothing of it', () => {
  test('no entry in the menu, no page, no call', async () => {
    const attendant = await signIn(browser, world, { as: 'user', width: 1440, height: 900 })
    await attendant.page.getByRole('link', { name: 'Contatos' }).first().waitFor()
    expect(await attendant.page.getByRole('link', { name: 'Relatórios' }).count()).toBe(0)
    await visit(attendant.page, '/report')
    await attendant.page.waitForURL('**/tickets')
    await attendant.page.getByText('Você não tem permissão para acessar essa página').first().waitFor()
    const { token } = await (
      await attendant.context.request.post(`${world.url}/auth/login`, { data: findAccount(world, 'user') })
    ).json()
    const answer = await attendant.context.request.post(`${world.url}/report/ticket`, {
      data: { startDate: '2026-11-01', endDate: '2026-11-30' },
      headers: { authorization: `Bearer ${token}` },
    })
    expect([answer.status(), (await answer.json()).error]).toEqual([403, 'ERR_NO_PERMISSION'])
    await attendant.close()
  })
})

function locateCard(report: string): Locator {
  return page.locator(`[data-report=${report}]`)
}

async function sinceEver(card: Locator): Promise<void> {
  await card.getByLabel('De').fill('2020-01-01')
}

async function downloadFrom(card: Locator, name: string): Promise<Download> {
  const button = card.getByRole('button', { name })
  await button.waitFor({ timeout: 60_000 })
  const saved = page.waitForEvent('download')
  await button.click()
  return saved
}
