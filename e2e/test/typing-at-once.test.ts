// Every letter has one place: what is typed while something is on its way stands where it was meant for, whatever the server does.
import { afterEach, expect, test } from 'bun:test'
import type { Page, Request, Route } from 'playwright-core'
import { countRounds, takeRounds } from '../../backend/test/rounds.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, signInAdministrator, waitUntil } from '../src/steps.ts'

const { world, sql, desk } = await openTestSystem({
  world: { settings: { notificateAllTickets: true } },
  patienceMs: 15_000,
})
/** What the page is changing: a call of one test must not undo what the next begins with. */
const changing = new Set<Request>()
desk.page.on('request', request => request.method() === 'GET' || changing.add(request))
desk.page.on('requestfinished', request => changing.delete(request))
desk.page.on('requestfailed', request => changing.delete(request))
afterEach(() => desk.page.unrouteAll({ behavior: 'ignoreErrors' }))

test('random letters at random moments after accepting stand in the composer, whole and in order, however long answers take', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  const random = randomNumbers(Date.now() % 100_000)
  for (let round = 0; round < countRounds({ all: 12, few: 2 }); round++) {
    await wait(id)
    const button = page.getByRole('button', { name: 'Aceitar' }).first()
    await button.waitFor()
    await focusConversation(page)
    const slow = random.below(2) === 1
    const answer = await holdAnswers(page, slow ? 'late' : 'at once')
    const text = randomText(random)
    if (random.below(2) === 1) await button.click()
    else await page.keyboard.press('a')
    const before = random.below(text.length + 1)
    const delay = random.below(80)
    await page.keyboard.type(text.slice(0, before), { delay })
    answer.comes()
    await page.keyboard.type(text.slice(before), { delay })
    await answer.over()
    await untilWritten(page, text, { seed: random.seed, round, slow, before, delay })
    expect(await isFocused(page.getByPlaceholder('Escreva uma mensagem'))).toBe(true)
    expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual([`/tickets/${id}`, 0])
    await page.getByPlaceholder('Escreva uma mensagem').fill('')
  }
})

test('letters typed for a conversation that the server refuses wait as its draft, and act on nothing', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await wait(id)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  const answer = await holdAnswers(page, 'refused')
  await page.keyboard.press('a')
  await page.keyboard.type('just a moment, teje')
  await answer.over()
  await page.keyboard.type('tejn')
  const row = page.locator('[role=option][aria-selected=true]')
  await row.getByText('just a moment, tejetejn', { exact: true }).waitFor()
  expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual([`/tickets/${id}`, 0])
  await page.getByRole('button', { name: 'Aceitar' }).first().click()
  await waitUntil('the draft stands in the composer', async () => (await written(page)) === 'just a moment, tejetejn')
  await page.getByPlaceholder('Escreva uma mensagem').fill('')
})

test('what is held when the page is loaded anew waits as a draft', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await wait(id)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  const answer = await holdAnswers(page, 'refused')
  await page.keyboard.press('a')
  await page.keyboard.type('Bom dia, já vejo')
  await page.reload()
  await answer.over()
  await page.locator('[role=option][aria-selected=true]').getByText('Bom dia, já vejo', { exact: true }).waitFor()
  await forgetDrafts()
})

test('letters typed right after a refusal that came at once wait as a draft too, and a key to what came instead acts', async () => {
  const { page, context } = desk
  const { id } = await waitingTicket()
  await wait(id)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  await context.setOffline(true)
  try {
    await page.keyboard.press('a')
    await page.getByRole('alert').getByText('O servidor não respondeu').waitFor()
    await page.keyboard.type('Bom dia, já vejo')
    await page.locator('[role=option][aria-selected=true]').getByText('Bom dia, já vejo', { exact: true }).waitFor()
    expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual([`/tickets/${id}`, 0])
  } finally {
    await context.setOffline(false)
  }
  await wait(id, null)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  await page.keyboard.press('a')
  const queues = page.getByRole('dialog').getByRole('radio')
  await waitUntil('the first queue has the focus', () => isFocused(queues.first()))
  const answer = await holdAnswers(page, 'refused')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  answer.comes()
  await page.getByRole('alert').first().waitFor()
  await page.keyboard.press('2')
  await waitUntil('the second queue is chosen', () => queues.nth(1).isChecked())
  await page.keyboard.press('Escape')
  await answer.over()
})

test('random letters typed while the list of queues is on its way stand in the composer once the queue is chosen', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  const random = randomNumbers(Date.now() % 100_000)
  for (let round = 0; round < countRounds({ all: 6, few: 2 }); round++) {
    const list = await holdQueues(page)
    await wait(id, null)
    const button = page.getByRole('button', { name: 'Aceitar' }).first()
    await button.waitFor()
    await focusConversation(page)
    const text = randomText(random)
    if (random.below(2) === 1) await button.click()
    else await page.keyboard.press('a')
    const before = 1 + random.below(text.length)
    const delay = random.below(60)
    await page.keyboard.type(text.slice(0, before), { delay })
    expect(changing.size).toBe(0)
    list.comes()
    await page.keyboard.type(text.slice(before), { delay })
    const queues = page.getByRole('dialog').getByRole('radio')
    await waitUntil('the first queue has the focus', () => isFocused(queues.first()))
    await list.over()
    await waitForHeldLetters(page)
    await waitUntil('the first queue has the focus again', () => isFocused(queues.first()))
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await untilWritten(page, text, { seed: random.seed, round, before, delay })
    await waitUntil('the composer has the focus', () => isFocused(page.getByPlaceholder('Escreva uma mensagem')))
    expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual([`/tickets/${id}`, 0])
    await page.getByPlaceholder('Escreva uma mensagem').fill('')
  }
})

test('accepted while the list of queues is on its way, a conversation without one is asked for it all the same', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  const list = await holdQueues(page)
  await wait(id, null)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  await page.keyboard.press('a')
  await page.keyboard.press('Shift')
  expect(changing.size).toBe(0)
  list.comes()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
  await page.keyboard.press('Escape')
})

test('so are several that are accepted at once, and what is typed meanwhile is no key to anything', async () => {
  const { page } = desk
  const { id, name } = await waitingTicket()
  const list = await holdQueues(page)
  await wait(id, null)
  await page
    .getByRole('option', { name })
    .first()
    .click({ modifiers: ['Control'] })
  const bar = page.getByRole('region', { name: 'Conversas marcadas' })
  await bar.getByRole('button', { name: 'Aceitar' }).click()
  await page.keyboard.type('xjn')
  expect(changing.size).toBe(0)
  list.comes()
  await page
    .getByRole('dialog', { name: /Em qual fila/ })
    .getByRole('radio')
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  expect([new URL(page.url()).pathname, await bar.getByText('1 marcada').count()]).toEqual([`/tickets/${id}`, 1])
  await page.keyboard.press('Escape')
})

test('without the list of queues nothing is accepted: it is told, and what was typed waits as a draft', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  const list = await holdQueues(page, 'refused')
  await wait(id, null)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  await page.keyboard.press('a')
  await page.keyboard.type('just a moment, teje')
  list.comes()
  await page.getByRole('alert').first().waitFor()
  await page.locator('[role=option][aria-selected=true]').getByText('just a moment, teje', { exact: true }).waitFor()
  expect(changing.size).toBe(0)
  await forgetDrafts()
})

test('random letters and Enters right after T, while the conversation is accepted in another tab, send nothing and give it to nobody', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  const call = await signInAdministrator(world)
  const random = randomNumbers(Date.now() % 100_000)
  const listSent = async () =>
    (
      await sql`select body from message where ticket_id = ${id} and from_me and body not like '% aceitou o atendimento' order by id`
    ).map(row => row.body)
  for (let round = 0; round < countRounds({ all: 8, few: 2 }); round++) {
    const lists = random.below(2) === 1 ? await holdQueues(page) : null
    await wait(id)
    const sent = await listSent()
    await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
    await focusConversation(page)
    // Nobody is called so: whatever Enter takes, it finds nobody.
    const keys = ['t', ...`zq${randomText(random)}`].flatMap((key, at) =>
      at > 2 && !random.below(4) ? [key, 'Enter'] : [key],
    )
    const accepted = 1 + random.below(keys.length - 1)
    let accepting: Promise<unknown> = Promise.resolve()
    for (const [at, key] of keys.entries()) {
      if (at === accepted) accepting = call('PUT', `/tickets/${id}`, { status: 'open', userId: await ownId() })
      if (key.length === 1) await page.keyboard.type(key)
      else await page.keyboard.press(key)
      if (at === random.below(keys.length)) lists?.comes()
    }
    await accepting
    await lists?.over()
    await page.locator('.k-composer textarea').waitFor()
    await waitUntil('nothing is being changed', () => changing.size === 0)
    const [ticket] = await sql<{ status: string; user: number; queue: number }[]>`
      select status, user_id as user, queue_id as queue from ticket where id = ${id}`
    const seen = { seed: random.seed, round, keys, accepted, isSlow: lists !== null }
    expect({ ticket, sent: await listSent(), composer: await written(page), ...seen }).toEqual({
      ...{ ticket: { status: 'open', user: await ownId(), queue: 1 }, sent, composer: '' },
      ...seen,
    })
    await page.getByRole('dialog', { name: /Transferir/ }).waitFor()
    while (await page.getByRole('dialog').count()) await page.keyboard.press('Escape')
  }
})

test('after the queue was chosen what is typed behind the closing dialog stands in the composer, and is not sent by Enter', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await wait(id, null)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  await page.keyboard.press('a')
  const queues = page.getByRole('dialog').getByRole('radio')
  await waitUntil('the first queue has the focus', () => isFocused(queues.first()))
  const answer = await holdAnswers(page, 'late')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Bom dia, em que ajudo?')
  await page.keyboard.press('Enter')
  await answer.over()
  await waitUntil('the text stands there', async () => (await written(page)) === 'Bom dia, em que ajudo?')
  expect(await isFocused(page.getByPlaceholder('Escreva uma mensagem'))).toBe(true)
  await page.getByPlaceholder('Escreva uma mensagem').fill('')
})

test('the queue chosen in another tab, the question closes here too, and what is typed stands in the composer', async () => {
  const { page, context } = desk
  const { id } = await waitingTicket()
  await wait(id, null)
  await page.getByRole('button', { name: 'Aceitar' }).first().click()
  const queues = page.getByRole('dialog').getByRole('radio')
  await waitUntil('the first queue has the focus', () => isFocused(queues.first()))
  const other = await context.newPage()
  await other.goto(`${world.url}/tickets/${id}`)
  await other.getByRole('button', { name: 'Aceitar' }).first().click()
  await other.getByRole('dialog').getByRole('radio').first().check()
  await other.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.type('Bom dia, já vejo')
  await untilWritten(page, 'Bom dia, já vejo', {})
  expect(new URL(page.url()).pathname).toBe(`/tickets/${id}`)
  await other.close()
  await page.getByPlaceholder('Escreva uma mensagem').fill('')
})

test('what a tab could not send before it was closed waits in the other one too, and goes out from there', async () => {
  const { page, context } = desk
  const { id } = await ownTicket()
  await page.goto(`${world.url}/tickets/${id}`)
  const other = await context.newPage()
  await other.route('**/messages/*', route => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await other.goto(`${world.url}/tickets/${id}`)
  await other.getByPlaceholder('Escreva uma mensagem').fill('Fica para a outra')
  await other.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Mensagens' }).getByText('Fica para a outra', { exact: true }).waitFor()
  await other.close()
  const count = async () =>
    (await sql`select 1 from message where ticket_id = ${id} and body like '%Fica para a outra'`).length
  await waitUntil('it is sent', async () => (await count()) === 1)
})

test('a double click on the button that sends sends once, and records nothing', async () => {
  const { page } = desk
  const { id } = await ownTicket()
  await page.goto(`${world.url}/tickets/${id}`)
  const field = page.getByPlaceholder('Escreva uma mensagem')
  await field.fill('Uma vez só')
  await page.getByRole('button', { name: 'Enviar', exact: true }).dblclick()
  await page.getByRole('region', { name: 'Mensagens' }).getByText('Uma vez só', { exact: true }).waitFor()
  await waitUntil('the composer is empty', async () => (await written(page)) === '')
  await waitUntil('nothing is being changed', () => changing.size === 0)
  const rows = await sql`select 1 from message where ticket_id = ${id} and body like '%Uma vez só'`
  expect([rows.length, await page.getByRole('button', { name: 'Gravar áudio' }).count()]).toEqual([1, 1])
})

test('whoever goes back takes along no dialog and no menu about the conversation that was left', async () => {
  const { page } = desk
  const { id, name } = await ownTicket()
  for (const button of ['Transferir', 'Mais ações']) {
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('option', { name }).first().click()
    await page.getByPlaceholder('Escreva uma mensagem').waitFor()
    await page.getByRole('button', { name: button }).first().click()
    const layer = page.locator('[role=dialog], [role=menu]')
    await layer.first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/tickets/${id}`)
    await page.goBack()
    await layer.first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/tickets')
  }
})

test('what is typed right after a conversation was opened by hand stands in its composer', async () => {
  const { page } = desk
  const { id, name } = await waitingTicket()
  await sql`update ticket set status = 'open', user_id = ${await ownId()}, version = version + 1 where id = ${id}`
  await page.goto(`${world.url}/tickets`)
  await page.getByRole('option', { name }).first().click()
  await page.keyboard.type('jt amanha?')
  await waitUntil('it stands there', async () => (await written(page)) === 'jt amanha?')
  await page.getByPlaceholder('Escreva uma mensagem').fill('')
})

test('the same in an internal chat', async () => {
  const { page } = desk
  await page.goto(`${world.url}/tickets/0`)
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.keyboard.type('not me, jt')
  await waitUntil('it stands there', async () => (await written(page)) === 'not me, jt')
  await page.locator('.k-field').fill('')
})

/** A way to a conversation; where it was not asked for yet the page knows nothing of it. */
interface Opening {
  readonly from: string
  readonly open: (page: Page, ticket: { readonly id: number; readonly name: string }) => Promise<void>
}

const OPENINGS: Readonly<Record<string, Opening>> = {
  'the palette': {
    from: '/connections',
    async open(page, { name }) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(name)
      await page.locator('.s-palette-line', { hasText: 'Comercial' }).filter({ hasText: name }).first().waitFor()
      while (!(await page.locator('[aria-selected=true]', { hasText: 'Comercial' }).count()))
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    },
  },
  'a contact of the palette': {
    from: '/tickets',
    async open(page, { name }) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(name)
      await page.locator('.s-palette-line').filter({ hasText: name }).filter({ hasText: '+55' }).first().click()
    },
  },
  'the bell': {
    from: '/contacts',
    async open(page, { name }) {
      await page.getByRole('button', { name: /^Quem espera/ }).click()
      await page.locator('.s-bell-row', { hasText: name }).first().focus()
      await page.keyboard.press('Enter')
    },
  },
  'what was found': {
    from: '/tickets',
    async open(page, { name }) {
      await page.getByRole('searchbox').first().fill('farinha especial')
      await page
        .getByRole('listbox')
        .getByRole('option', { name: new RegExp(name) })
        .first()
        .click()
    },
  },
  'a notice of the device': {
    from: '/tickets',
    open: (page, { id }) =>
      page.evaluate(path => {
        navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', path } }))
      }, `/tickets/${id}`),
  },
  'the address': {
    from: '/tickets',
    async open(page, { id }) {
      await page.goto(`${world.url}/tickets/${id}`, { waitUntil: 'commit' })
      await page.locator('.s-remote').waitFor({ state: 'attached' })
    },
  },
  'the way back': {
    from: '/tickets',
    async open(page, { name, id }) {
      await page.getByRole('option', { name }).first().click()
      await page.waitForURL(`**/tickets/${id}`)
      await page
        .getByRole('option', { name: /Dona Lúcia/ })
        .first()
        .click()
      await page.goBack({ waitUntil: 'commit' })
    },
  },
}

for (const [way, opening] of Object.entries(OPENINGS)) {
  test(`random letters after a conversation was opened by ${way} stand in its composer, however long answers take`, async () => {
    const { page } = desk
    const random = randomNumbers(Date.now() % 100_000)
    for (const slow of takeRounds([true, false], 1)) {
      await forgetDrafts()
      await page.goto(world.url + opening.from)
      await page.getByText('Ao vivo').waitFor({ state: 'attached' })
      // Not before: the page that was left had read it.
      const ticket = await ownTicket()
      const gate = await holdOpening(page, slow ? 'late' : 'at once')
      const text = randomText(random)
      await opening.open(page, ticket)
      const before = random.below(text.length + 1)
      const delay = random.below(60)
      await page.keyboard.type(text.slice(0, before), { delay })
      gate.comes()
      await page.keyboard.type(text.slice(before), { delay })
      await gate.over()
      await untilWritten(page, text, { seed: random.seed, slow, before, delay })
      await waitUntil('the composer has the focus', () => isFocused(page.getByPlaceholder('Escreva uma mensagem')))
      expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual([
        `/tickets/${ticket.id}`,
        0,
      ])
      await page.getByPlaceholder('Escreva uma mensagem').fill('')
    }
  })
}

test.each(['gone', 'offline'] as const)(
  'letters typed for a conversation that is %s act on nothing, before its failure is told and after',
  async how => {
    const { page } = desk
    const missing = 987_654
    for (const from of takeRounds(['/connections', '/tickets'], 1)) {
      await page.goto(world.url + from)
      await page.getByText('Ao vivo').waitFor({ state: 'attached' })
      const gate = await holdOpening(page, how)
      const requests: string[] = []
      const hear = (request: Request) =>
        request.method() !== 'GET' && requests.push(`${request.method()} ${request.url()}`)
      page.on('request', hear)
      await OPENINGS['a notice of the device']?.open(page, { id: missing, name: '' })
      await page.keyboard.type('tenha nxjk')
      gate.comes()
      await page.waitForURL('**/tickets')
      await page.keyboard.type('paejnm fate')
      await gate.over()
      page.off('request', hear)
      expect(requests.filter(one => !/\/auth\/|\/live/.test(one))).toEqual([])
      expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual(['/tickets', 0])
    }
  },
  90_000,
)

test('a word that an input method puts together while the conversation is accepted is whole, and nobody takes it away half', async () => {
  const { page, context } = desk
  const { id } = await waitingTicket()
  await wait(id)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await focusConversation(page)
  const keys = await context.newCDPSession(page)
  const answer = await holdAnswers(page, 'late')
  await page.keyboard.press('a')
  await page.keyboard.type('Ol')
  for (const text of ['´', 'n', 'ni', 'nih'])
    await keys.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await answer.over()
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  await keys.send('Input.imeSetComposition', { text: 'niha', selectionStart: 4, selectionEnd: 4 })
  await keys.send('Input.insertText', { text: '你好' })
  await waitUntil('the word is whole', async () => (await written(page)) === 'Ol你好')
  await waitUntil('the composer has the focus', () => isFocused(page.getByPlaceholder('Escreva uma mensagem')))
  await page.getByPlaceholder('Escreva uma mensagem').fill('')
})

test('what is pasted while the conversation is accepted stands in the composer', async () => {
  const { page, context } = desk
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await waitingTicket()
  await wait(id)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await page.evaluate(() => navigator.clipboard.writeText('PIX: loja@saojose.example'))
  await focusConversation(page)
  const answer = await holdAnswers(page, 'late')
  await page.keyboard.press('a')
  await page.keyboard.press('Control+v')
  await page.keyboard.type('!')
  await answer.over()
  await waitUntil('it stands there', async () => (await written(page)) === 'PIX: loja@saojose.example!')
  await page.getByPlaceholder('Escreva uma mensagem').fill('')
})

test('an accent typed before the palette is there stands in it, not in the composer behind', async () => {
  const { page } = desk
  const { id } = await ownTicket()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/lazy-palette.*\.js$/, async route => {
    await promise
    await route.continue()
  })
  await page.goto(`${world.url}/tickets/${id}`)
  await waitUntil('the composer has the focus', () => isFocused(page.getByPlaceholder('Escreva uma mensagem')))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Dona Lú')
  resolve()
  const palette = page.getByRole('combobox', { name: /./ }).and(page.locator('.s-palette input'))
  await waitUntil(
    'it stands there',
    async () => (await palette.count()) === 1 && (await palette.inputValue()) === 'Dona Lú',
  )
  await page.keyboard.press('Escape')
  await waitUntil('the composer has the focus again', () => isFocused(page.getByPlaceholder('Escreva uma mensagem')))
  expect(await written(page)).toBe('')
  await page.unrouteAll({ behavior: 'wait' })
})

/** Whole and in order; else the failure says what stands there. */
async function untilWritten(page: Page, text: string, seen: object): Promise<void> {
  try {
    await waitUntil('the text stands there', async () => (await written(page)) === text)
  } catch {
    const focus = await page.evaluate(() => document.activeElement?.className)
    expect({ written: await written(page), focus, ...seen }).toEqual({ written: text, focus: 'k-field', ...seen })
  }
}

/** What stands in the composer; null while there is none. */
async function written(page: Page): Promise<string | null> {
  const field = page.locator('.k-field')
  return (await field.count()) === 1 ? field.inputValue() : null
}

async function waitingTicket() {
  const [row] = await sql<{ id: number; name: string }[]>`
    select t.id, c.name from ticket t join contact c on c.id = t.contact_id where c.name like 'Padaria Estrela%' order by t.id desc limit 1`
  if (!row) throw new Error('nobody waits')
  return row
}

/** One that is open, mine, and in the bell. */
async function ownTicket() {
  const ticket = await waitingTicket()
  await sql`update ticket set status = 'open', user_id = ${await ownId()}, queue_id = 1, unread_messages = 2, version = version + 1 where id = ${ticket.id}`
  return ticket
}

async function ownId(): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' order by id limit 1`
  return row?.id ?? 0
}

/** The ticket waits again, in a queue, where accepting asks nothing, or in none. */
async function wait(id: number, queueId: number | null = 1) {
  await waitUntil('nothing is being changed', () => changing.size === 0)
  await forgetDrafts()
  await sql`update ticket set status = 'pending', user_id = null, queue_id = ${queueId}, version = version + 1 where id = ${id}`
  await desk.page.goto(`${world.url}/tickets/${id}`)
}

/** A page that is coming holds what is typed for its field: a key acts once it stands. */
async function focusConversation(page: Page): Promise<void> {
  await waitForHeldLetters(page)
  await page.locator('.c-conversation').focus()
}

async function waitForHeldLetters(page: Page): Promise<void> {
  await page.locator('body > textarea.b-only-read').waitFor({ state: 'detached' })
}

function forgetDrafts() {
  return desk.page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('balcao.draft')) localStorage.removeItem(key)
  })
}

/** What the page asks of a conversation, and the code that draws it, comes when the test says so, or fails then. */
async function holdOpening(page: Page, how: 'at once' | 'late' | 'gone' | 'offline') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    const request = route.request()
    if (request.method() !== 'GET' || request.resourceType() === 'document') return route.fallback()
    if (how !== 'at once') await promise
    if (how === 'offline') return route.abort('internetdisconnected')
    await route.continue()
  }
  await page.route(/\/(tickets|messages|chats|contact)\/\d+(\?|$)/, hold)
  if (how === 'late') await page.route(/\/(conversation|mfe_tickets\/[^/]*)\.[^/]*\.js$/, hold)
  return {
    comes: () => resolve(),
    over() {
      resolve()
      return page.unrouteAll({ behavior: 'wait' })
    },
  }
}

/** The list of queues comes when the test says so, or is refused then. */
async function holdQueues(page: Page, how: 'late' | 'refused' = 'late') {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/queue(\?|$)/, async route => {
    await promise
    if (how === 'late') return route.continue()
    await route.fulfill({ status: 503, json: { error: 'ERR_UNAVAILABLE' } })
  })
  return {
    comes: () => resolve(),
    over() {
      resolve()
      return page.unrouteAll({ behavior: 'wait' })
    },
  }
}

/** What the page asks of a ticket is answered when the test says so, or refused then. */
async function holdAnswers(page: Page, how: 'at once' | 'late' | 'refused') {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/tickets\/\d+$/, async route => {
    if (route.request().method() !== 'PUT') return route.fallback()
    if (how !== 'at once') await promise
    if (how !== 'refused') return route.continue()
    await route.fulfill({ status: 503, json: { error: 'ERR_UNAVAILABLE' } })
  })
  return {
    comes: () => resolve(),
    over() {
      resolve()
      return page.unrouteAll({ behavior: 'wait' })
    },
  }
}

/** Keys that do something, and letters that no key of this keyboard says: they come as those of an input method do. */
const LETTERS = 'tjkearmnpfx TJKE,?!123/áãçÉ´'

function randomText({ below }: { below: (most: number) => number }): string {
  const length = 3 + below(25)
  return `${Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join('')}.`.trimStart()
}

/** A small generator with a seed that a failure names (Park and Miller). */
function randomNumbers(seed: number) {
  let state = seed + 1
  return {
    seed,
    below(most: number) {
      state = (state * 48_271) % 2_147_483_647
      return state % most
    },
  }
}
