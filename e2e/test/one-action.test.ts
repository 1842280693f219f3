// What an agent does most takes one action: the next customer, a row accepted by mouse, arrows and finger, a conversation marked as unread.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { signIn } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, openTab, pressShortcut, waitUntil } from '../src/steps.ts'

const { browser, world, sql, desk, page } = await openTestSystem({ world: { settings: { generateProtocol: true } } })
const composer = page.getByPlaceholder('Escreva uma mensagem')
const waits = page.getByPlaceholder('Ao enviar, você aceita esta conversa')
const [me] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' order by id limit 1`
const [queue] = await sql<{ id: number; name: string }[]>`select id, name from queue order by id limit 1`

/** Three wait, the first of them longest; whatever was there before is closed. */
let waiting: { readonly id: number; readonly name: string }[] = []
beforeEach(async () => {
  await sql`update ticket set status = 'closed', closed_at = now(), version = version + 1 where status <> 'closed'`
  const ids = await sql<{ id: number }[]>`
    select min(t.id) as id from ticket t where not t.is_group group by t.contact_id order by 1 limit 3`
  for (const [at, { id }] of ids.entries())
    await sql`
      update ticket set status = 'pending', user_id = null, queue_id = ${queue?.id ?? 0}, closed_at = null,
        created_at = now() - interval '1 hour' + ${at} * interval '1 minute', version = version + 1 where id = ${id}`
  waiting = [
    ...(await sql<{ id: number; name: string }[]>`
      select t.id, c.name from ticket t join contact c on c.id = t.contact_id where t.status = 'pending' order by t.created_at`),
  ]
  expect(waiting).toHaveLength(3)
  await page.goto(`${world.url}/tickets`)
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
})

test('one key accepts whoever has been waiting longest, and what is typed at once stands in the composer', async () => {
  await pressShortcut(page, 'g')
  await page.keyboard.type('Bom dia!')
  await waitUntil(
    'it stands there',
    async () => (await countComposers(page)) === 1 && (await composer.inputValue()) === 'Bom dia!',
  )
  await waitUntil('it has the focus', () => isFocused(composer))
  expect(await readTicket(0)).toEqual({ status: 'open', user_id: me?.id })
  expect(new URL(page.url()).pathname).toBe(`/tickets/${waiting[0]?.id}`)
  await composer.fill('')
  for (const at of [1, 2]) {
    await page.keyboard.press('Escape')
    await pressShortcut(page, 'g')
    await page.waitForURL(`**/tickets/${waiting[at]?.id}`)
    await waitUntil('the composer has the focus', () => isFocused(composer))
  }
  await page.keyboard.press('Escape')
  await pressShortcut(page, 'g')
  await page.getByText('Ninguém espera por você agora.').waitFor()
})

test('Escape while it is under way gives nothing up: no letter after it is a key, all of them stand in the composer', async () => {
  await page.goto(`${world.url}/tickets/${waiting[2]?.id}`)
  await waits.waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/tickets\/next/, async route => {
    await promise
    await route.continue()
  })
  await page.locator('.c-conversation').focus()
  await pressShortcut(page, 'g')
  await page.keyboard.press('Escape')
  await page.keyboard.type('ata')
  resolve()
  await waitUntil(
    'it stands there',
    async () => (await composer.count()) === 1 && (await composer.inputValue()) === 'ata',
  )
  await page.unrouteAll({ behavior: 'wait' })
  expect([await readTicket(0), await readTicket(2)]).toEqual([
    { status: 'open', user_id: me?.id },
    { status: 'pending', user_id: null },
  ])
  await composer.fill('')
})

test('one press of the button above those who wait does the same; pressed twice it takes one', async () => {
  await openTab(page, /Pendentes/)
  await page.getByRole('button', { name: /^Atender a próxima/ }).dblclick()
  await page.waitForURL(`**/tickets/${waiting[0]?.id}`)
  await waitUntil('the composer has the focus', () => isFocused(composer))
  expect(await readTicket(1)).toEqual({ status: 'pending', user_id: null })
})

test('one without a queue is opened and asked for it, once', async () => {
  await sql`update ticket set queue_id = null, version = version + 1 where id = ${waiting[0]?.id ?? 0}`
  await pressShortcut(page, 'g')
  const choices = page.getByRole('dialog').getByRole('radio')
  await waitUntil('the first queue has the focus', () => isFocused(choices.first()))
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await waitUntil('the composer has the focus', () => isFocused(composer))
  expect(await readTicket(0)).toEqual({ status: 'open', user_id: me?.id })
})

test('one without a queue is asked for it once the queues are known, however slow they are', async () => {
  await sql`update ticket set queue_id = null, version = version + 1 where id = ${waiting[0]?.id ?? 0}`
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/queue(\?|$)/, async route => {
    await promise
    await route.continue()
  })
  await page.goto(`${world.url}/tickets`)
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
  await pressShortcut(page, 'g')
  await page.waitForURL(`**/tickets/${waiting[0]?.id}`)
  await waits.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  resolve()
  await waitUntil('the first queue has the focus', () => isFocused(page.getByRole('dialog').getByRole('radio').first()))
  await page.unrouteAll({ behavior: 'wait' })
  await page.keyboard.press('Escape')
})

test('two who press it at the same moment get two customers', async () => {
  const colleague = await signIn(browser, world, { as: 'gerente' })
  await Promise.all([pressShortcut(page, 'g'), pressShortcut(colleague.page, 'g')])
  await Promise.all([composer.waitFor(), colleague.page.getByPlaceholder('Escreva uma mensagem').waitFor()])
  const paths = [page, colleague.page].map(one => new URL(one.url()).pathname)
  expect(paths.sort()).toEqual([`/tickets/${waiting[0]?.id}`, `/tickets/${waiting[1]?.id}`].sort())
  await colleague.close()
})

describe('words sent in a waiting conversation accept it', () => {
  let before = 0

  test('and go out; letters before that are keys of the desk', async () => {
    await openWaiting()
    expect(await isFocused(waits)).toBe(false)
    await pressShortcut(page, 'm')
    await page.keyboard.type('Bom dia, já vejo.')
    await page.keyboard.press('Enter')
    await waitForMessages(['Bom dia, já vejo.'])
    await waitUntil('the composer has the focus', () => isFocused(composer))
    expect(await composer.inputValue()).toBe('')
    expect(await readTicket(0)).toEqual({ status: 'open', user_id: me?.id })
  })

  test('but not a comment to the team', async () => {
    await openWaiting()
    await waits.fill('-- já ligou ontem')
    await page.keyboard.press('Enter')
    await waitForMessages(['já ligou ontem'])
    expect([await waits.inputValue(), await readTicket(0)]).toEqual(['', { status: 'pending', user_id: null }])
    await page.getByRole('region', { name: 'Mensagens' }).getByText('já ligou ontem').waitFor()
  })

  test('and so does a file', async () => {
    await openWaiting()
    await page.locator('input[type=file][multiple]').setInputFiles({
      name: 'nota.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Nota'),
    })
    await page.locator('.k-files').first().waitFor()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await waitUntil('it is stored', async () => (await listSent()).length === 1)
    expect(await readTicket(0)).toEqual({ status: 'open', user_id: me?.id })
  })

  test('once its queue is said, where it can be several; said no, the words stand there as before', async () => {
    await sql`delete from whatsapp_queue where whatsapp_id = (select whatsapp_id from ticket where id = ${waiting[0]?.id ?? 0})`
    await sql`update ticket set queue_id = null, version = version + 1 where id = ${waiting[0]?.id ?? 0}`
    await page.reload()
    await openWaiting()
    await waits.fill('Em que fila?')
    await page.keyboard.press('Enter')
    const choices = page.getByRole('dialog').getByRole('radio')
    await waitUntil('the first queue has the focus', () => isFocused(choices.first()))
    await page.keyboard.press('Escape')
    await waitUntil('the words are there', async () => (await waits.inputValue()) === 'Em que fila?')
    expect(await readTicket(0)).toEqual({ status: 'pending', user_id: null })
    await waits.press('Enter')
    await waitUntil('the first queue has the focus', () => isFocused(choices.first()))
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await waitForMessages(['Em que fila?'])
    expect(await readTicket(0)).toEqual({ status: 'open', user_id: me?.id })
  })

  test('unless a colleague was faster: nothing goes out, the words stay, and it says who has it', async () => {
    await openWaiting()
    const id = waiting[0]?.id ?? 0
    // No event tells of it: only the refusal does.
    await sql`update ticket set status = 'open', user_id = (select id from "user" where name like 'Rafael%' limit 1) where id = ${id}`
    await waits.fill('Cheguei tarde')
    await page.keyboard.press('Enter')
    await page.getByText(/^Rafael.* já aceitou esta conversa\.$/).waitFor()
    await waitUntil(
      'the words are there',
      async () => (await page.locator('.k-field').inputValue()) === 'Cheguei tarde',
    )
    expect(await listSent()).toEqual([])
    await page.locator('.k-field').fill('')
  })

  async function openWaiting() {
    await openTab(page, /Pendentes/)
    await page.getByRole('option', { name: nameOf(0) }).click()
    await waits.waitFor()
    const [last] = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from message`
    before = last?.id ?? 0
  }

  async function listSent(): Promise<string[]> {
    const rows = await sql<{ body: string }[]>`
      select body from message
      where ticket_id = ${waiting[0]?.id ?? 0} and id > ${before} and from_me and system is null order by id`
    return rows.map(({ body }) => body)
  }

  async function waitForMessages(words: readonly string[]) {
    await waitUntil('it is stored', async () => (await listSent()).length === words.length)
    expect((await listSent()).map(body => body.split('\n').at(-1) ?? '')).toEqual([...words])
  }
})

describe('on its row a waiting conversation is accepted without being opened first', () => {
  test('by the button on the row that the mouse points at', async () => {
    await openTab(page, /Pendentes/)
    const row = page.getByRole('option', { name: nameOf(1) })
    await row.hover()
    await row.locator('.t-quick').click()
    await page.waitForURL(`**/tickets/${waiting[1]?.id}`)
    await waitUntil('the composer has the focus', () => isFocused(composer))
  })

  test('of one without a queue none is asked for where its connection has a single one', async () => {
    const id = waiting[1]?.id ?? 0
    const before = await sql`delete from whatsapp_queue returning *`
    await sql`insert into whatsapp_queue (whatsapp_id, queue_id) select id, ${queue?.id ?? 0} from whatsapp`
    await sql`update ticket set queue_id = null, version = version + 1 where id = ${id}`
    await page.reload()
    await openTab(page, /Pendentes/)
    const row = page.getByRole('option', { name: nameOf(1) })
    await row.hover()
    await row.locator('.t-quick').click()
    await page.waitForURL(`**/tickets/${id}`)
    await waitUntil('the composer has the focus', () => isFocused(composer))
    const [ticket] = await sql`select status, queue_id from ticket where id = ${id}`
    expect({ ...ticket }).toEqual({ status: 'open', queue_id: queue?.id })
    await sql`delete from whatsapp_queue`
    for (const row of before) await sql`insert into whatsapp_queue ${sql({ ...row })}`
  })

  test('by A on the row that the arrows reached', async () => {
    await openTab(page, /Pendentes/)
    const list = page.getByRole('listbox', { name: 'Conversas pendentes' })
    await list.focus()
    await page.keyboard.press('End')
    await page.locator('.t-slot.is-active .t-quick').waitFor()
    const id = Number((await list.getAttribute('aria-activedescendant'))?.split('-').at(-1))
    await page.keyboard.press('a')
    await page.waitForURL(`**/tickets/${id}`)
    await waitUntil('the composer has the focus', () => isFocused(composer))
  })

  test('by a swipe to the right; a shorter one and one that scrolls do nothing', async () => {
    const phone = await signIn(browser, world, { touch: true, width: 390, height: 844 })
    await phone.page.getByRole('tab', { name: /Pendentes/ }).tap()
    const row = phone.page.getByRole('option', { name: nameOf(2) })
    const box = await row.boundingBox()
    const touch = await phone.context.newCDPSession(phone.page)
    const from = { x: (box?.x ?? 0) + 120, y: (box?.y ?? 0) + 30 }
    for (const { x, y } of [
      { x: 50, y: 0 },
      { x: 60, y: 60 },
    ]) {
      await swipe(from, x, y)
      expect(await readTicket(2)).toEqual({ status: 'pending', user_id: null })
      expect(new URL(phone.page.url()).pathname).toBe('/tickets')
    }
    await swipe(from, 130, 4)
    await phone.page.waitForURL(`**/tickets/${waiting[2]?.id}`)
    await phone.page.getByPlaceholder('Escreva uma mensagem').waitFor()
    expect(phone.complaints).toEqual([])
    await phone.close()

    async function swipe(start: { x: number; y: number }, x: number, y: number) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] })
      for (let step = 1; step <= 5; step++)
        await touch.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: [{ x: start.x + (x * step) / 5, y: start.y + (y * step) / 5 }],
        })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
  })
})

test('on a phone a notice covers neither the head of a conversation nor its composer, and stands below the head', async () => {
  const phone = await signIn(browser, world, { touch: true, width: 390, height: 844 })
  await sql`update ticket set status = 'open', user_id = ${me?.id ?? 0} where id = ${waiting[0]?.id ?? 0}`
  await phone.page.goto(`${world.url}/tickets/${waiting[0]?.id}`)
  await phone.page.getByPlaceholder('Escreva uma mensagem').waitFor()
  await phone.page.route('**/protocolos', route => route.abort('internetdisconnected'))
  await phone.page.keyboard.press('Control+Shift+Enter')
  const find = (selector: string) => phone.page.locator(selector).first()
  await find('.b-toast').waitFor()
  const [notice, head, field] = await Promise.all(
    ['.b-toasts', '.c-header', '.k-box'].map(async selector => {
      const box = await find(selector).boundingBox()
      return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
    }),
  )
  expect(notice?.top).toBeGreaterThanOrEqual(head?.bottom ?? 0)
  // The row of actions is part of the head there.
  expect(notice?.top).toBeLessThan(844 / 4)
  expect(notice?.bottom).toBeLessThanOrEqual(field?.top ?? 0)
  await phone.close()
})

describe('a conversation is marked as unread, and left', () => {
  test('by a key; opened again it is read', async () => {
    const id = await takeNext()
    await page.keyboard.press('Escape')
    await pressShortcut(page, 'u')
    await page.waitForURL('**/tickets')
    const row = page.locator(`#t-row-${id} .t-row.is-unread`)
    await row.waitFor()
    await row.click()
    await row.waitFor({ state: 'detached' })
  })

  test('from the menu of its row, by the other button of the mouse and by the menu key', async () => {
    const id = await takeNext()
    await page.goto(`${world.url}/tickets`)
    const row = page.locator(`#t-row-${id}`)
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Marcar como não lida' }).click()
    await row.locator('.is-unread').waitFor()
    await row.click()
    await row.locator('.is-unread').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('listbox', { name: /Conversas/ }).focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('m')
    await page.keyboard.press('Enter')
    await row.locator('.is-unread').waitFor()
    expect(new URL(page.url()).pathname).toBe('/tickets')
  })
})

describe('in the field of a transfer nothing that is typed is lost:', () => {
  const dialog = page.getByRole('dialog', { name: 'Transferir conversa' })
  const field = dialog.getByLabel('Pessoa ou fila')
  const word = dialog.locator('textarea')
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

  test('typed before the people are known and entered twice, it chooses whom was meant once they are, and sends nothing; what is typed on is the word', async () => {
    const letPeopleCome = await holdPeople()
    await startTransfer('rafae')
    await waitUntil('the letters stand there', async () => (await field.inputValue()) === 'rafae')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect([await field.inputValue(), await dialog.getByRole('option').count()]).toEqual(['rafae', 0])
    await page.keyboard.type('Pediu ')
    await letPeopleCome()
    await dialog.getByText('Rafael', { exact: false }).first().waitFor()
    await page.keyboard.type('desconto.')
    expect([await word.inputValue(), await isFocused(word)]).toEqual(['Pediu desconto.', true])
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await readTicket(0)).toEqual({ status: 'open', user_id: me?.id })
  })

  test('left by Esc while the people are on their way, it does nothing when they come', async () => {
    const letPeopleCome = await holdPeople()
    await startTransfer('rafael')
    await waitUntil('the letters stand there', async () => (await field.inputValue()) === 'rafael')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await letPeopleCome()
    await pressShortcut(page, 'm')
    await waitUntil('the composer has the focus', () => isFocused(composer))
    expect([await composer.inputValue(), await readTicket(0)]).toEqual(['', { status: 'open', user_id: me?.id }])
  })

  test('offline it says so, keeps whom and what was said, and goes once there is a line', async () => {
    await startTransfer('raf')
    await dialog.getByRole('option', { name: /^Rafael/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Pediu desconto.')
    await page.route(/\/tickets\/\d+$/, route =>
      route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
    )
    // Another notice may stand there already: the route stays until this very request failed.
    const failure = page.waitForEvent('requestfailed', request => request.method() === 'PUT')
    await page.keyboard.press('Enter')
    await failure
    await page.locator('.b-toast').first().waitFor()
    expect(await word.inputValue()).toBe('Pediu desconto.')
    await page.unrouteAll({ behavior: 'wait' })
    await word.press('Enter')
    await page.getByText('Conversa transferida').waitFor()
    const comments = await sql`
      select body from message where ticket_id = ${waiting[0]?.id ?? 0} and media_type = 'comment' order by id desc limit 1`
    expect(comments[0]?.body).toBe('Pediu desconto.')
  })

  test('pressed twice at once with a slow answer it is transferred once', async () => {
    const puts: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    await startTransfer('raf')
    await dialog.getByRole('option', { name: /^Rafael/, selected: true }).waitFor()
    await page.route(/\/tickets\/\d+$/, async route => {
      if (route.request().method() === 'PUT') puts.push(route.request().postData() ?? '')
      await promise
      await route.continue()
    })
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Enter')
    await waitUntil('it was sent', () => puts.length > 0)
    resolve()
    await page.getByText('Conversa transferida').waitFor()
    expect(puts).toHaveLength(1)
  })

  async function startTransfer(typed: string) {
    await takeNext()
    await page.keyboard.press('Escape')
    await pressShortcut(page, 't')
    await page.keyboard.type(typed)
  }

  /** Held back until the returned function is called. */
  async function holdPeople(): Promise<() => Promise<void>> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/users\?/, async route => {
      await promise
      await route.continue()
    })
    await page.goto(`${world.url}/tickets`)
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    return async () => {
      resolve()
      await page.unrouteAll({ behavior: 'wait' })
    }
  }
})

describe('a conversation is transferred with a word to the team', () => {
  test('by T, a name, a word, and Enter after each', async () => {
    await takeNext()
    await page.keyboard.press('Escape')
    await pressShortcut(page, 't')
    await page.keyboard.type('raf')
    const dialog = page.getByRole('dialog', { name: 'Transferir conversa' })
    await dialog.getByRole('option', { name: /^Rafael/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Pediu desconto.')
    await page.keyboard.press('Enter')
    await page.getByText('Conversa transferida').waitFor()
    const [row] = await sql<{ name: string }[]>`
      select u.name, t.queue_id from ticket t join "user" u on u.id = t.user_id where t.id = ${waiting[0]?.id ?? 0}`
    expect(row?.name).toMatch(/^Rafael/)
  })

  test('to somebody of another queue, it offers that person’s queues; to a queue, it waits there', async () => {
    const [other] = await sql<{ id: number; name: string }[]>`select id, name from queue order by id desc limit 1`
    await sql`delete from user_queue where user_id = (select id from "user" where name like 'Rafael%' limit 1)`
    await sql`insert into user_queue (user_id, queue_id)
      select u.id, q.id from "user" u, queue q where u.name like 'Rafael%' and q.id <> ${queue?.id ?? 0}`
    await takeNext()
    await page.keyboard.press('Escape')
    await pressShortcut(page, 't')
    const dialog = page.getByRole('dialog', { name: 'Transferir conversa' })
    await page.keyboard.type('raf')
    await dialog.getByRole('option', { name: /^Rafael/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await waitUntil('their queues have the focus', () => isFocused(dialog.locator('.p-dropdown input')))
    await page.keyboard.press('Space')
    await page.locator('.p-dropdown-item').first().waitFor()
    expect(await page.locator('.p-dropdown-item', { hasText: queue?.name ?? '' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Escolher outra pessoa ou fila' }).click()
    await waitUntil('the field has the focus', () => isFocused(dialog.getByLabel('Pessoa ou fila')))
    await page.keyboard.type(other?.name ?? '')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('Conversa transferida').waitFor()
    expect(await readTicket(0)).toEqual({ status: 'pending', user_id: null })
  })
})

test('D shows all files of the customer and hides them again', async () => {
  await takeNext()
  await page.keyboard.press('Escape')
  await pressShortcut(page, 'd')
  await page.getByRole('tab', { name: 'Documentos' }).click()
  await page.getByRole('tab', { name: 'Documentos', selected: true }).waitFor()
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await pressShortcut(page, 'd')
  await page.locator('.x-gallery').waitFor({ state: 'detached' })
})

test('one key gives a conversation its protocol and resolves it, from where one writes', async () => {
  const id = await takeNext()
  await page.keyboard.press('Control+Shift+Enter')
  await page.getByText('Conversa encerrada. Reabra para escrever.').waitFor()
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from protocol where ticket_id = ${id}`
  expect([row?.n, (await readTicket(0)).status]).toEqual([1, 'closed'])
})

test('letters typed after a request for the next one that fails are no keys', async () => {
  // In this list J opens the first.
  await openTab(page, /Pendentes/)
  await page.getByRole('option', { name: nameOf(0) }).waitFor()
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.route('**/tickets/next', route => route.abort('internetdisconnected'))
  await pressShortcut(page, 'g')
  // It fails before the first of them.
  await page.locator('.b-toast').first().waitFor()
  await page.keyboard.type('jnx')
  await page.unroute('**/tickets/next')
  expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual(['/tickets', 0])
  expect(await page.locator('.t-slot.is-marked').count()).toBe(0)
})

test('accepted from the menu of its row while the queues are on their way, it asks for the queue all the same', async () => {
  await sql`update ticket set queue_id = null, version = version + 1 where id = ${waiting[1]?.id ?? 0}`
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/queue(\?|$)/, async route => {
    await promise
    await route.continue()
  })
  await page.goto(`${world.url}/tickets`)
  await openTab(page, /Pendentes/)
  await page.getByRole('option', { name: nameOf(1) }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Aceitar/ }).click()
  await page.waitForURL(`**/tickets/${waiting[1]?.id}`)
  resolve()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
  expect(await readTicket(1)).toEqual({ status: 'pending', user_id: null })
  await page.unrouteAll({ behavior: 'wait' })
})

test('a number that a message names is written to with one press', async () => {
  const id = waiting[0]?.id ?? 0
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
    select id, contact_id, whatsapp_id, 900000, now(), false, 'Liga no (31) 98000-1234, ou ana@padaria.com.br', 'received', true
    from ticket where id = ${id}`
  await takeNext()
  const words = page.getByRole('region', { name: 'Mensagens' }).getByRole('listitem').filter({ hasText: 'Liga no' })
  expect(await words.getByRole('link').getAttribute('href')).toBe('mailto:ana@padaria.com.br')
  await words.getByRole('button', { name: '(31) 98000-1234' }).click()
  await page.getByRole('menuitem', { name: 'Escrever para este número' }).click()
  const field = page.getByRole('dialog').getByLabel('Nome ou número do contato')
  await waitUntil('it stands in the form', async () => (await field.inputValue()) === '(31) 98000-1234')
  await page.keyboard.press('Escape')
})

async function takeNext(): Promise<number> {
  await pressShortcut(page, 'g')
  await waitUntil('the composer has the focus', () => isFocused(composer))
  return waiting[0]?.id ?? 0
}

test('the page complained about nothing', () => {
  // The line that was cut is one, and so is what somebody else took before.
  const expected = /ERR_INTERNET_DISCONNECTED|status of 409 \(Conflict\) \/tickets\/\d+$/
  expect(desk.complaints.filter(text => !expected.test(text))).toEqual([])
})

function nameOf(at: number): RegExp {
  return new RegExp(waiting[at]?.name ?? 'nobody')
}

async function readTicket(at: number) {
  const [row] = await sql`select status, user_id from ticket where id = ${waiting[at]?.id ?? 0}`
  return { ...row }
}

function countComposers(one: Page): Promise<number> {
  return one.getByPlaceholder('Escreva uma mensagem').count()
}
