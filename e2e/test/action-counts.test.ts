// What an agent does all day, in how many clicks and keys: more than these is a step back.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { CompanyPagePhone } from '@balcao/simulator/page/phones'
import { countActions } from '../src/action-count.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { findAccount, isFocused, locateMessages, openTab, pairPhone, pressShortcut, waitUntil } from '../src/steps.ts'

const { world, sql, page } = await openTestSystem({
  world: { settings: { generateProtocol: true, allowAgendador: true, aiAssist: true } },
})
const composer = page.getByPlaceholder('Escreva uma mensagem')
const whatsappId = await pairPhone(world, sql, 'Loja Centro', findCompanyPhone())
const [queue] = await sql<{ id: number; name: string }[]>`select id, name from queue order by id limit 1`
await addQuickAnswer()

let ticketId = 0
let lastMessage = 0
beforeEach(async () => {
  await sql`update ticket set status = 'closed', closed_at = now(), version = version + 1 where status <> 'closed'`
  const [row] = await sql<{ id: number }[]>`
    update ticket set status = 'pending', user_id = null, queue_id = ${queue?.id ?? 0}, whatsapp_id = ${whatsappId}, closed_at = null,
      created_at = now() - interval '1 hour', version = version + 1
    where id = (select min(id) from ticket where not is_group) returning id`
  ticketId = row?.id ?? 0
  const [last] = await sql<{ id: number }[]>`select coalesce(max(id), 0)::int as id from message`
  lastMessage = last?.id ?? 0
  await page.goto(`${world.url}/tickets`)
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
})

describe('by keys', () => {
  test('the next waiting customer is answered with one', async () => {
    const count = await countActions(page, async () => {
      await pressShortcut(page, 'g')
      await isWritable()
    })
    expect(count).toBe(1)
  })

  test('a conversation goes to a colleague with a note with three', async () => {
    await openMine()
    const count = await countActions(page, async () => {
      await pressShortcut(page, 't')
      await page.keyboard.type('raf')
      await page.getByRole('option', { name: /^Rafael/, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('Pediu desconto.')
      await page.keyboard.press('Enter')
      await page.getByText('Conversa transferida').waitFor()
    })
    expect(count).toBe(3)
  })

  test('a quick answer with its file goes out with two', async () => {
    await openMine()
    await composer.focus()
    const count = await countActions(page, async () => {
      await page.keyboard.type('/tabela')
      await page.getByRole('option', { name: /Segue a tabela/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.k-files').getByText('tabela.txt').waitFor()
      await page.keyboard.press('Enter')
      await waitUntil('it is stored', async () => (await readSent()).some(({ file }) => file === 'tabela.txt'))
    })
    expect(count).toBe(2)
  })

  test('somebody new is written to with two, in the queue and over the connection used last, and no letter is lost', async () => {
    await page.evaluate(
      ([id, queueId, whatsappId]) =>
        localStorage.setItem(`balcao.new-ticket.${id}`, JSON.stringify({ queueId, whatsappId })),
      [await readMyId(), queue?.id ?? 0, whatsappId],
    )
    world.simulator.whatsapp.customer({ number: '5531980001234', name: 'Padaria Nova' })
    const count = await countActions(page, async () => {
      await pressShortcut(page, 'n')
      await page.keyboard.type('(31) 98000-1234')
      // What is typed while the form is on its way is held for it, and Enter then chooses nothing that nobody has seen.
      const field = page.getByLabel('Nome ou número do contato')
      await waitUntil('the number stands there', async () => (await field.inputValue()) === '(31) 98000-1234')
      await waitUntil('the field has the focus', () => isFocused(field))
      await page.keyboard.press('Enter')
      await page.keyboard.type('Bom dia! ')
      await page.keyboard.type('Aqui é da distribuidora.')
      await isWritable()
      await waitUntil(
        'the words stand there',
        async () => (await composer.inputValue()) === 'Bom dia! Aqui é da distribuidora.',
      )
    })
    expect(count).toBe(2)
    await composer.fill('')
  })

  test('what was said last month is found and opened with two', async () => {
    const sentence = 'o boleto da entrega vence'
    await sql`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
      select id, contact_id, whatsapp_id, message_seq + 1000,
        (date_trunc('month', now() at time zone 'America/Sao_Paulo') - interval '10 days') at time zone 'America/Sao_Paulo', false, ${sentence}, 'received', true
      from ticket where id = ${ticketId}`
    const count = await countActions(page, async () => {
      await pressShortcut(page, '/')
      await page.keyboard.type('boleto mês passado')
      await page.getByRole('option', { name: new RegExp(sentence) }).waitFor()
      await page.keyboard.press('Enter')
      await locateMessages(page).getByText(sentence).waitFor()
    })
    expect(count).toBe(2)
    await sql`delete from message where body = ${sentence}`
  })

  test('a conversation gets its protocol and is resolved with one', async () => {
    await openMine()
    await composer.focus()
    const count = await countActions(page, async () => {
      await page.keyboard.press('Control+Shift+Enter')
      await page.getByText('Conversa encerrada. Reabra para escrever.').waitFor()
    })
    expect(count).toBe(1)
  })

  test('a conversation is put off with its reason with two, and comes back by itself', async () => {
    await openMine()
    const count = await countActions(page, async () => {
      await pressShortcut(page, 'p')
      await page.keyboard.type('Aguarda estoque')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^amanhã 9h/ })
        .click()
      await waitUntil('it is paused', async () => (await readTicket()).pauses)
    })
    expect(count).toBe(2)
    await sql`update ticket set pause_until = now() where id = ${ticketId}`
    await sql`select graphile_worker.add_job('wake-paused', '{}'::json)`
    await waitUntil('it is back', async () => (await readTicket()).status === 'open')
  })

  test('what is typed goes out tomorrow with three, and no longer lies in the composer', async () => {
    await openMine()
    await composer.fill('Seu boleto vence amanhã')
    const panel = page.getByRole('complementary', { name: 'Agendar mensagem' })
    await page.setViewportSize({ width: 1440, height: 900 })
    const count = await countActions(page, async () => {
      await page.keyboard.press('Alt+Enter')
      await panel.getByRole('button', { name: 'amanhã 9h' }).waitFor()
      // Beside the conversation, not over it.
      const [words, form] = [await composer.boundingBox(), await panel.boundingBox()]
      expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(form?.x ?? 0)
      await panel.getByRole('button', { name: 'amanhã 9h' }).click()
      await panel.getByText(/^[\p{L}-]+, \d+ de \p{L}+.*, 09:00$/u).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('Agendamento salvo com sucesso!').waitFor()
    })
    expect(count).toBe(3)
    await waitUntil('the composer is empty', async () => (await composer.inputValue()) === '')
    const [saved] = await sql<{ message: string; hour: string }[]>`
      select message, to_char(next_run_at at time zone 'America/Sao_Paulo', 'HH24:MI') as hour from schedule order by id desc limit 1`
    expect(saved).toEqual({ message: 'Seu boleto vence amanhã', hour: '09:00' })
  })

  test('and in words with two, with its file', async () => {
    await openMine()
    await page.locator('input[type=file][multiple]').setInputFiles({
      name: 'boleto.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('linha digitável'),
    })
    await page.locator('.k-files').getByText('boleto.txt').waitFor()
    await composer.or(page.locator('.k-field')).first().fill('Segue o boleto')
    const count = await countActions(page, async () => {
      await page.keyboard.press('Alt+Enter')
      await waitUntil('the time has the focus', () => isFocused(page.getByLabel('Quando *')))
      await page.keyboard.type('depois de amanhã às 14h30')
      await page.keyboard.press('Enter')
      await page.getByText('Agendamento salvo com sucesso!').waitFor()
    })
    expect(count).toBe(2)
    await page.locator('.k-files').waitFor({ state: 'detached' })
    const [saved] = await sql<{ message: string; hour: string; file: string }[]>`
      select message, to_char(next_run_at at time zone 'America/Sao_Paulo', 'HH24:MI') as hour, media_name as file
      from schedule order by id desc limit 1`
    expect(saved).toEqual({ message: 'Segue o boleto', hour: '14:30', file: 'boleto.txt' })
  })

  test('all files of a customer are shown with one', async () => {
    await openMine()
    const count = await countActions(page, async () => {
      await pressShortcut(page, 'd')
      await page.locator('.x-gallery').waitFor()
    })
    expect(count).toBe(1)
  })
})

describe('by mouse', () => {
  test('the next waiting customer takes one, a transfer with a note three, a pause with the reason of last time two', async () => {
    await openTab(page, /Pendentes/)
    const next = await countActions(page, async () => {
      await page.getByRole('button', { name: /^Atender a próxima/ }).click()
      await isWritable()
    })
    expect(next).toBe(1)
    const pause = await countActions(page, async () => {
      await page.locator('.c-header').getByRole('button', { name: 'Pausar' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^amanhã 9h/ })
        .click()
      await waitUntil('it is paused', async () => (await readTicket()).pauses)
    })
    expect(pause).toBe(2)
    await page.goto(`${world.url}/tickets/${ticketId}`)
    await page.getByRole('button', { name: 'Retomar' }).first().click()
    await page.getByRole('button', { name: 'Assumir' }).first().click()
    await isWritable()
    const transfer = await countActions(page, async () => {
      await page.locator('.c-header').getByRole('button', { name: 'Transferir' }).click()
      await page.keyboard.type('raf')
      await page.getByRole('option', { name: /^Rafael/ }).click()
      await page.keyboard.type('Pediu desconto.')
      await page.getByRole('dialog').getByRole('button', { name: 'Transferir', exact: true }).click()
      await page.getByText('Conversa transferida').waitFor()
    })
    expect(transfer).toBe(3)
  })

  test('a document is passed on with three', async () => {
    await openMine()
    const row = locateMessages(page).getByRole('listitem').filter({ hasText: 'contrato-lucia-ferreira.pdf' }).last()
    await row.hover()
    const count = await countActions(page, async () => {
      await row.getByRole('button', { name: 'Encaminhar' }).click()
      const dialog = page.getByRole('dialog', { name: 'Encaminhar mensagem' })
      await dialog.getByRole('checkbox').first().click()
      await dialog.getByRole('button', { name: 'Encaminhar' }).click()
      await page.getByText('Mensagem encaminhada com sucesso').waitFor()
    })
    expect(count).toBe(3)
  })

  test('what is typed goes out tomorrow with three', async () => {
    await openMine()
    await composer.fill('Seu boleto vence amanhã')
    const count = await countActions(page, async () => {
      await page.locator('.k-tools').getByRole('button', { name: 'Agendar mensagem' }).click()
      await page.getByRole('button', { name: 'amanhã 9h' }).click()
      await page.getByRole('button', { name: 'Agendar', exact: true }).click()
      await page.getByText('Agendamento salvo com sucesso!').waitFor()
    })
    expect(count).toBe(3)
  })
})

test('the palette has all of it, the open conversation first, each with its key, and screens behind', async () => {
  await openMine()
  await page.keyboard.press('Control+K')
  const palette = page.getByRole('dialog', { name: 'Buscar ou executar uma ação' })
  const lines = palette.getByRole('option')
  await lines.first().waitFor()
  const headings = await palette.locator('.s-palette-heading').allTextContents()
  expect(headings.slice(0, 3)).toEqual(['Conversa', 'Conversas', 'Ir para'])
  const keys = {
    Transferir: 'T',
    Pausar: 'P',
    'Arquivos do cliente': 'D',
    'Nova conversa': 'N',
    'Atender a próxima': 'G',
  }
  for (const [name, key] of Object.entries(keys))
    await lines
      .filter({ hasText: name })
      .filter({ has: page.locator('kbd', { hasText: key }) })
      .first()
      .waitFor()
  const further = ['Agendar mensagem', 'Buscar na conversa', 'Ir para a data', 'Encaminhar', 'Ajuda da IA', 'Buscar']
  for (const name of further) await lines.filter({ hasText: name }).first().waitFor()
  const count = await countActions(page, async () => {
    await page.keyboard.type('resolver com prot')
    await page.keyboard.press('Enter')
    await page.getByText('Conversa encerrada. Reabra para escrever.').waitFor()
  })
  expect(count).toBe(1)
})

test('what is typed for a conversation that cannot be made stays in the form, and goes along once it can', async () => {
  await page.evaluate(
    ([id, queueId, whatsappId]) =>
      localStorage.setItem(`balcao.new-ticket.${id}`, JSON.stringify({ queueId, whatsappId })),
    [await readMyId(), queue?.id ?? 0, whatsappId],
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/tickets$/, async route => {
    if (route.request().method() !== 'POST') return route.continue()
    await promise
    await route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } })
  })
  await pressShortcut(page, 'n')
  const form = page.getByRole('dialog', { name: 'Nova conversa' })
  const field = form.getByLabel('Nome ou número do contato')
  await waitUntil('the field has the focus', () => isFocused(field))
  await page.keyboard.type('pizzaria')
  await form.getByRole('option', { name: /Pizzaria Nonna/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Bom dia!')
  resolve()
  const words = form.getByLabel('Mensagem')
  await waitUntil(
    'the words stand there',
    async () => (await words.count()) === 1 && (await words.inputValue()) === 'Bom dia!',
  )
  await page.unrouteAll({ behavior: 'wait' })
  await form.getByRole('button', { name: 'Iniciar conversa' }).click()
  await waitUntil(
    'they go along',
    async () => (await composer.count()) === 1 && (await composer.inputValue()) === 'Bom dia!',
  )
  await composer.fill('')
})

/** The conversation is mine, and nothing has the focus. */
async function openMine(): Promise<void> {
  await sql`
    update ticket set status = 'open', user_id = ${await readMyId()}, version = version + 1 where id = ${ticketId}`
  await page.goto(`${world.url}/tickets/${ticketId}`)
  await isWritable()
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
}

function isWritable(): Promise<void> {
  return waitUntil('the composer has the focus', () => isFocused(composer))
}

async function readMyId(): Promise<number> {
  const [me] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' order by id limit 1`
  return me?.id ?? 0
}

async function readTicket(): Promise<{ readonly status: string; readonly pauses: boolean }> {
  const [row] = await sql<{ status: string; pauses: boolean }[]>`
    select status, status = 'paused' and pause_until is not null as pauses from ticket where id = ${ticketId}`
  return row ?? { status: 'gone', pauses: false }
}

function findCompanyPhone(): CompanyPagePhone {
  const phone = world.simulator.find('Celular da empresa')
  if (phone?.role !== 'company') throw new Error('The company has no phone here')
  return phone
}

function readSent(): Promise<readonly { readonly file: string | null }[]> {
  return sql<{ file: string | null }[]>`
    select media ->> 'name' as file from message where ticket_id = ${ticketId} and id > ${lastMessage} and from_me`
}

async function addQuickAnswer(): Promise<void> {
  const signedIn = await fetch(`${world.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(findAccount(world, 'admin')),
  })
  const { token }: { token: string } = await signedIn.json()
  const body = new FormData()
  body.append('shortcut', 'tabela')
  body.append('message', 'Segue a tabela deste mês')
  body.append('medias', new File(['Farinha'], 'tabela.txt', { type: 'text/plain' }))
  const made = await fetch(`${world.url}/quickAnswers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  expect(made.status).toBe(201)
}
