// The manager's day (spec 1 §2 "Dashboard"): who is overloaded, what they serve, live, and nothing of it for an attendant.
import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { Sql } from 'postgres'
import { signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, pressShortcut, signInAdministrator } from '../src/steps.ts'

const { browser, world, desk, sql } = await openTestSystem()
await addTickets(sql)
const api = await signInAdministrator(world)

describe('spec 1 §2: the dashboard', () => {
  test('shows every counter, and each drawing has its table; the lunch break stands in the hours', async () => {
    const { page } = desk
    await api('PUT', '/settings', { values: { horarioAlmoco: '12:00', horarioFimAlmoco: '13:00' } })
    await visit(page, '/')
    for (const counter of ['open', 'pending', 'closed', 'tme', 'tma'])
      await page.locator(`[data-counter=${counter}]`).waitFor()
    for (const fact of ['users', 'queues', 'connections', 'schedules', 'contacts', 'groups', 'tickets', 'messages'])
      await page.locator(`[data-fact=${fact}] dd`, { hasText: /\d/ }).waitFor()
    // Of two with a name this would complain.
    for (const title of ['Atendimentos por hora', 'Por pessoa', 'Por cliente', 'Por fila'])
      await page.getByRole('table', { name: title, exact: true }).waitFor({ state: 'attached' })
    await page.getByText('almoço', { exact: true }).waitFor()
    // The ring of the queues has a part for each, in its own colour.
    const ring = page.getByRole('figure', { name: 'Por fila', exact: true })
    await ring.locator('.recharts-pie-sector').first().waitFor()
    expect(await readRingColors(ring)).toEqual(await readLegendColors(ring))
  })

  test('paused tickets stand beside those in service, and those of other hours under the bars', async () => {
    const { page } = desk
    const [ticket] = await sql<{ id: number }[]>`
      update ticket set status = 'paused' where id = (select min(id) from ticket where status = 'open' and not is_group) returning id`
    await visit(page, '/')
    await page
      .locator('[data-counter=open]')
      .getByText(/\d+ pausadas?/)
      .waitFor()
    expect(await page.locator('[data-outside]').textContent()).toMatch(/^\d+ fora das 8h às 19h$/)
    await sql`update ticket set status = 'open' where id = ${ticket?.id ?? 0}`
    // Written past the server, it is told to nobody.
    await page.reload()
    await page.locator('[data-counter=open]').waitFor()
  })

  test('a manager finds who is overloaded, opens a ticket of that person, and sees the numbers change without a reload', async () => {
    const { page } = desk
    const open = page.locator('[data-counter=open]')
    const before = Number(await open.locator('p').nth(1).textContent())
    const first = page.getByRole('table', { name: 'Pessoas' }).getByRole('row').nth(1)
    await first.getByRole('button', { name: /^Ver conversas de/ }).click()
    const dialog = page.getByRole('dialog')
    const link = dialog.getByRole('link').first()
    const href = await link.getAttribute('href')
    const id = Number(href?.split('/').at(-1))
    await api('PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })
    await page.waitForFunction(
      was => Number(document.querySelector('[data-counter=open] p:nth-of-type(2)')?.textContent) === was - 1,
      before,
      { timeout: 20_000 },
    )
    await page.keyboard.press('Escape')
    await first.getByRole('button', { name: /^Ver conversas de/ }).click()
    await dialog.locator('a, p').first().waitFor()
    expect(await dialog.locator(`a[href="${href}"]`).count()).toBe(0)
    await page.goto(world.url + href)
    await page.locator('.c-conversation').waitFor()
  })

  test('shows its numbers before its drawings have come, and nothing moves when they come', async () => {
    const { page, close } = await signIn(browser, world)
    const { promise: numbersShown, resolve: showDrawings } = Promise.withResolvers<void>()
    await page.route('**/assets/chart.*.js', async route => {
      await numbersShown
      await route.continue()
    })
    await visit(page, '/')
    await page.locator('[data-counter=open]').waitFor()
    await page.getByRole('figure', { name: 'Por fila', exact: true }).waitFor()
    expect(await page.locator('[data-remote] .recharts-surface').count()).toBe(0)
    const before = await readSections(page)
    showDrawings()
    await page.locator('.recharts-bar-rectangle, .recharts-pie-sector').first().waitFor()
    expect(await readSections(page)).toEqual(before)
    await close()
  })

  test('is worked by the keyboard alone, and says what is wrong with a period', async () => {
    const { page } = desk
    await visit(page, '/')
    const see = page.getByRole('button', { name: /^Ver conversas de/ }).first()
    await see.waitFor()
    await see.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('link').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await isFocused(see)).toBe(true)
    await pressShortcut(page, 'd')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('De').fill('2026-05-02')
    await dialog.getByLabel('Até').fill('2026-05-01')
    await page.keyboard.press('Enter')
    await dialog.getByText('A data final vem antes da inicial').waitFor()
    await page.keyboard.press('Escape')
  })

  test('does not jump while numbers change, and keeps what is open', async () => {
    const { page } = desk
    await visit(page, '/')
    const table = page.getByRole('table', { name: 'Pessoas' })
    await table.waitFor()
    await table.scrollIntoViewIfNeeded()
    const where = () => page.evaluate(() => document.querySelector('.b-page')?.scrollTop ?? -1)
    await page.evaluate(() => document.querySelector('.b-page')?.scrollTo(0, 240))
    const [before, height] = [await where(), await page.evaluate(() => document.querySelector('.b-page')?.scrollHeight)]
    await table.getByRole('row').nth(1).getByRole('button').click()
    await page.getByRole('dialog').getByRole('link').first().waitFor()
    const answered = page.waitForResponse(answer => answer.url().includes('/dashboard/stats'))
    const { id } = (await api('POST', '/contacts', { name: 'Visita Nova', number: '5531977776666' })) as { id: number }
    const connections = (await api('GET', '/whatsapp')) as { id: number }[]
    const queues = (await api('GET', '/queue')) as { id: number }[]
    const ticket = { contactId: id, whatsappId: connections[0]?.id, queueId: queues[0]?.id, status: 'open' }
    await api('POST', '/tickets', ticket)
    await answered
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect([await where(), await page.evaluate(() => document.querySelector('.b-page')?.scrollHeight)]).toEqual([
      before,
      height,
    ])
    await page.keyboard.press('Escape')
  })

  test('a choice whose numbers do not come is not told by those of before, and comes with the next try', async () => {
    const { page } = desk
    await visit(page, '/')
    const counter = page.locator('[data-counter=open]')
    await counter.waitFor()
    await page.route(/\/dashboard\/stats/, route => route.abort())
    await page.locator('.b-select', { has: page.getByLabel('Fila') }).click()
    await page.getByRole('option').nth(1).click()
    await page.getByText('O painel não carregou').waitFor()
    expect(await counter.count()).toBe(0)
    await page.unroute(/\/dashboard\/stats/)
    await page.getByRole('button', { name: /^Tentar de novo/ }).click()
    await counter.waitFor()
  })

  test('lists fifty of what somebody serves, more on demand, also after a try that failed, and the focus goes on', async () => {
    const { page } = desk
    await sql`
      with made as (insert into contact (name) select 'Cliente ' || n from generate_series(1, 60) n returning id)
      insert into ticket (status, contact_id, whatsapp_id, user_id, last_message_at)
      select 'open', made.id, (select min(id) from whatsapp), (select id from "user" where name = 'Rafael Costa'), now() from made`
    await visit(page, '/')
    await page.getByRole('button', { name: 'Ver conversas de Rafael Costa' }).click()
    const dialog = page.getByRole('dialog')
    const links = dialog.getByRole('link')
    const more = dialog.getByRole('button', { name: 'Mostrar mais' })
    await more.waitFor()
    expect(await links.count()).toBe(50)
    await page.route(/\/dashboard\/users\//, route => route.abort())
    await more.click()
    await dialog.getByText('As conversas não carregaram').waitFor()
    expect(await links.count()).toBe(50)
    await page.unroute(/\/dashboard\/users\//)
    await more.focus()
    await page.keyboard.press('Enter')
    await more.waitFor({ state: 'detached' })
    expect(await links.count()).toBeGreaterThanOrEqual(60)
    expect(await isFocused(links.nth(50))).toBe(true)
    expect(await dialog.getByText('As conversas não carregaram').count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('of days in which nothing was is an honest empty page', async () => {
    const { page } = desk
    await visit(page, '/')
    await page.locator('[data-counter=tme]').waitFor()
    await pressShortcut(page, 'd')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('De').fill('2126-01-01')
    await dialog.getByLabel('Até').fill('2226-01-01')
    await page.keyboard.press('Enter')
    await page.getByText('nenhum atendimento no período').nth(3).waitFor()
    await page.getByText('Ninguém deu nota neste período.').waitFor()
    const text = (await page.locator('.b-page').textContent()) ?? ''
    expect(text).not.toMatch(/NaN|undefined|Infinity|null|\{\{/)
    expect(text.match(/nenhum atendimento no período/g)?.length).toBe(4)
    expect(text).toContain('Ninguém deu nota neste período.')
    for (const counter of ['tme', 'tma'])
      expect(await page.locator(`[data-counter=${counter}]`).textContent()).toContain('—')
  })

  test('is printed light, without what is pressed, with the tables of its drawings', async () => {
    const night = await signIn(browser, world, { as: 'admin', width: 1440, height: 900, colorScheme: 'dark' })
    const { page } = night
    await visit(page, '/')
    await page.getByRole('table', { name: 'Pessoas' }).waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const hidden = ['.s-bar', '.s-rail', '[role=timer]', 'section .b-icon-button', 'tbody .b-button']
    for (const part of hidden) expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false])
    expect(await page.getByText(/^Números de|· Números de/).isVisible()).toBe(true)
    expect(
      await page.getByRole('table', { name: 'Atendimentos por hora', exact: true }).getByText('08h').isVisible(),
    ).toBe(true)
    const color = await page.locator('[data-counter=open]').evaluate(one => getComputedStyle(one).backgroundColor)
    expect(color).toBe('rgb(255, 255, 255)')
    const pdf = await page.pdf({ format: 'A4', printBackground: false })
    if (process.env.PRINTED) await Bun.write(process.env.PRINTED, pdf)
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
    expect(pages).toBeWithin(2, 5)
    await night.close()
  })

  test('attendants and managers get nothing of it: no menu item, no page, no answer', async () => {
    for (const as of ['user', 'gerente'] as const) {
      const person = await signIn(browser, world, { as, width: 1440, height: 900 })
      const requests: string[] = []
      person.page.on('request', request => {
        if (/\/(dashboard\/|ticketQueue|ticketColaborador|ticketCliente)/.test(request.url()))
          requests.push(request.url())
      })
      expect(await person.page.getByRole('link', { name: 'Painel' }).count()).toBe(0)
      await visit(person.page, '/')
      await person.page.waitForURL('**/tickets')
      await person.page.getByText('Você não tem permissão para acessar essa página').first().waitFor()
      expect(requests).toEqual([])
      const statuses = await person.page.evaluate(async () => {
        const headers = { authorization: `Bearer ${localStorage.getItem('balcao.token')}`, accept: 'application/json' }
        const paths = [
          '/dashboard/stats',
          '/dashboard/cards',
          '/dashboard/users',
          '/dashboard/users/2',
          '/ticketQueue',
          '/ticketColaborador',
          '/ticketCliente',
        ]
        return Promise.all(paths.map(async path => (await fetch(path, { headers })).status))
      })
      expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 403])
      await person.close()
    }
  })
})

/**
 * Tickets of every queue in the morning and at night of this month's 14th, and of the next: on a month's first day those of the demo are
 * of the month before, and it may begin while this runs.
 */
async function addTickets(sql: Sql): Promise<void> {
  await sql`
    with made as (insert into contact (name) values ('Visita da Quinzena') returning id)
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, created_at, last_message_at)
    select 'closed', made.id, (select min(id) from whatsapp), queue.id, (select min(id) from "user"),
      (date_trunc('month', now() at time zone 'America/Sao_Paulo') + months + interval '13 days' + hour) at time zone 'America/Sao_Paulo', now()
    from made, queue, unnest(array['0 months', '1 month']::interval[]) months, unnest(array['10:00', '03:00']::interval[]) hour`
}

function readRingColors(ring: Locator) {
  return ring.locator('.recharts-pie-sector path').evaluateAll(parts => parts.map(part => getComputedStyle(part).fill))
}

function readLegendColors(ring: Locator) {
  return ring.locator('li .b-dot').evaluateAll(dots => dots.map(dot => getComputedStyle(dot).backgroundColor))
}

/** Where each part of the page stands, and how high it is. */
function readSections(page: Page): Promise<string[]> {
  return page.locator('[data-remote] section').evaluateAll(parts =>
    parts.map(part => {
      const { top, height } = part.getBoundingClientRect()
      return `${Math.round(top)} ${Math.round(height)}`
    }),
  )
}
