// The ten things an agent does most, each by keyboard alone, by mouse and by finger; with what the customer's phone or the server
// says of it afterwards.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Ticket } from '@balcao/contract'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { takeRounds } from '../../backend/test/rounds.ts'
import { launchBrowser } from '../src/browser.ts'
import { type DeskOptions, type DeskSession, signIn } from '../src/desk.ts'
import { createKeyboardHand, createMouseHand, createTouchHand, type InputHand, waitUntilInView } from '../src/hands.ts'
import {
  isFocused,
  listFilesOnPhone,
  listTextsOnPhone,
  locateMessages,
  pairPhone,
  pressShortcut,
  signInAdministrator,
  tabToTarget,
  waitUntil,
} from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

/** One thing done once: who does it, with whose conversation. */
interface TaskRun {
  readonly page: Page
  readonly hand: InputHand
  readonly customer: CustomerPagePhone
  readonly name: string
  /** 0 where the conversation is only begun. */
  readonly ticket: number
  readonly composer: Locator
  readonly dialog: Locator
  /** A single letter, outside of every field. */
  key(letter: string): Promise<void>
}

interface Task {
  readonly name: string
  /** What is there before: the customer waits, is served already, is served in an open conversation, or is only known. */
  readonly begins: 'waiting' | 'served' | 'open' | 'known'
  readonly before?: (one: TaskRun) => Promise<void>
  readonly byKeys: (one: TaskRun) => Promise<void>
  readonly byPointing: (one: TaskRun) => Promise<void>
  readonly check: (one: TaskRun) => Promise<void>
}

const THINGS: readonly Task[] = [
  {
    name: 'accept a waiting conversation',
    begins: 'waiting',
    async byKeys(one) {
      await one.hand.openTab(/Pendentes/)
      await one.hand.openConversation(one.name)
      await one.key('a')
      const queue = one.dialog.getByRole('radio', { name: /Comercial/ })
      await waitUntil('the queues have the focus', () => isFocused(one.dialog.getByRole('radio').first()))
      await one.page.keyboard.press('1')
      await waitUntil('it is chosen', () => queue.isChecked())
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await one.hand.openTab(/Pendentes/)
      await one.hand.openConversation(one.name)
      await one.hand.press(button(one.page, /^Aceitar/))
      await one.hand.press(one.dialog.getByText('Comercial'))
      await one.hand.press(one.dialog.getByRole('button', { name: /Iniciar atendimento/ }))
    },
    async check(one) {
      await one.composer.waitFor()
      const { status, user, queue } = await fetchTicket(one)
      expect([status, user?.name, queue?.name]).toEqual(['open', 'Marina Souza', 'Comercial'])
    },
  },
  {
    name: 'answer with text',
    begins: 'open',
    async byKeys(one) {
      await one.key('m')
      await typeInComposer(one, 'Temos sim.')
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await one.hand.write(one.composer, 'Temos sim.')
      await one.hand.press(sendButton(one.page))
    },
    async check(one) {
      await locateMessages(one.page).getByText('Temos sim.').waitFor()
      await waitForArrival(one, text => text.endsWith('\nTemos sim.'))
      expect(await one.composer.inputValue()).toBe('')
    },
  },
  {
    name: 'answer with a quick answer',
    begins: 'open',
    async byKeys(one) {
      await one.key('m')
      await typeInComposer(one, '/entrega')
      await one.page.getByRole('option', { name: /entrega/, selected: true }).waitFor()
      await one.page.keyboard.press('Enter')
      await quickAnswerStands(one)
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await one.hand.press(button(one.page, /^Respostas rápidas/))
      await one.hand.press(one.page.getByRole('option', { name: /entrega/ }))
      await quickAnswerStands(one)
      await one.hand.press(sendButton(one.page))
    },
    async check(one) {
      await locateMessages(one.page)
        .getByText(/^Seu pedido sai/)
        .waitFor()
      await waitForArrival(one, text => /\nSeu pedido sai no próximo caminhão/.test(text))
      expect(listTextsOnPhone(one.customer, shop).some(text => text.includes('/'))).toBe(false)
    },
  },
  {
    name: 'send a file with a caption',
    begins: 'open',
    async byKeys(one) {
      await one.key('m')
      await chooseFile(one)
      await waitUntil('the caption can be written', () => isFocused(captionField(one.page)))
      await one.page.keyboard.type('Sua nota.')
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await chooseFile(one)
      await one.hand.write(captionField(one.page), 'Sua nota.')
      await one.hand.press(sendButton(one.page))
    },
    async check(one) {
      await locateMessages(one.page).getByText('nota.txt').waitFor()
      await locateMessages(one.page).getByText('Sua nota.').waitFor()
      await waitUntil("it is on the customer's phone", () =>
        listFilesOnPhone(one.customer, shop).some(
          file => file.fileName === 'nota.txt' && file.caption?.endsWith('\nSua nota.'),
        ),
      )
    },
  },
  {
    name: 'reply to one of several messages',
    begins: 'open',
    async before({ customer, ticket }) {
      const text = 'E óleo de girassol?'
      await customer.whatsapp.send(shop.whatsapp, { type: 'text', text })
      // Coming in later it would lift the row to the top of the list, past J on its way down.
      await waitUntil(
        'the second message is there',
        async () => (await sql`select from message where ticket_id = ${ticket} and body = ${text}`).length > 0,
      )
    },
    async byKeys(one) {
      await replyToFirst(one)
      await typeInComposer(one, 'Tem, de 5 kg.')
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await replyToFirst(one)
      await one.page.locator('.k-target').getByText('Tem arroz integral?').waitFor()
      await one.hand.write(one.composer, 'Tem, de 5 kg.')
      await one.hand.press(sendButton(one.page))
    },
    async check(one) {
      const own = locateMessages(one.page).getByRole('listitem').filter({ hasText: 'Tem, de 5 kg.' })
      await own.locator('.m-quoted').getByText('Tem arroz integral?').waitFor()
      await waitForArrival(one, text => text.endsWith('\nTem, de 5 kg.'))
      const chat = one.customer.whatsapp.chat(shop.whatsapp)
      const answer = chat.find(({ content }) => content?.type === 'text' && content.text.endsWith('Tem, de 5 kg.'))
      const question = chat.find(({ content }) => content?.type === 'text' && content.text === 'Tem arroz integral?')
      expect(answer?.quote).toBe(question?.id ?? 'nothing')
    },
  },
  {
    name: 'transfer to a queue with a text',
    begins: 'open',
    async byKeys(one) {
      await one.key('t')
      await fillTransfer(one, () => one.page.keyboard.press('Enter'))
    },
    async byPointing(one) {
      await one.hand.press(button(one.page, /^Transferir/))
      await fillTransfer(one, queue => one.hand.press(queue))
    },
    async check(one) {
      await one.page.getByText('Conversa transferida').waitFor()
      await one.dialog.waitFor({ state: 'detached' })
      const { status, user, queue } = await fetchTicket(one)
      expect([status, user, queue?.name]).toEqual(['pending', null, 'Financeiro'])
      await one.hand.openTab(/Pendentes/)
      await one.hand.openConversation(one.name)
      await locateMessages(one.page).getByText('Quer a 2ª via.').waitFor()
      expect(listTextsOnPhone(one.customer, shop).some(text => text.includes('2ª via'))).toBe(false)
    },
  },
  {
    name: 'pause with a reason and resume',
    begins: 'open',
    async byKeys(one) {
      await one.key('p')
      await one.hand.write(one.dialog.getByPlaceholder('Ex.: Aguarda estoque'), 'Aguarda estoque')
      await one.page.keyboard.press('Enter')
      await isPaused(one)
      await one.key('p')
    },
    async byPointing(one) {
      await one.hand.press(button(one.page, /^Pausar/))
      await one.hand.press(one.dialog.getByRole('button', { name: 'Aguarda estoque' }))
      await one.hand.press(one.dialog.getByRole('button', { name: 'Pausar' }))
      await isPaused(one)
      await one.hand.press(button(one.page, /^Retomar/))
    },
    async check(one) {
      await one.composer.waitFor()
      const { status, user } = await fetchTicket(one)
      expect([status, user]).toEqual(['open', null])
    },
  },
  {
    name: 'find an old message and jump to it',
    begins: 'served',
    async before(one) {
      await sql`
        insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
        select t.id, t.contact_id, t.whatsapp_id, 1000 - n, now() - interval '3 days' - n * interval '7 minutes', false,
          case when n = 150 then 'O frete de março, código ' || ${getWord(one)} else 'linha antiga ' || n end, 'received', true
        from ticket t, generate_series(1, 200) n where t.id = ${one.ticket}`
    },
    async byKeys(one) {
      await row(one).waitFor()
      await one.key('/')
      await waitUntil('the search has the focus', () => isFocused(searchField(one.page)))
      await one.page.keyboard.type(getWord(one))
      await hit(one).waitFor()
      await one.page.keyboard.press('ArrowDown')
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await row(one).waitFor()
      await one.hand.write(searchField(one.page), getWord(one))
      await one.hand.press(hit(one))
    },
    async check(one) {
      const found = one.page.locator('.is-blinking').getByText(getWord(one))
      await found.waitFor()
      await waitUntilInView(one.page, found)
      await locateMessages(one.page).getByText('linha antiga 149', { exact: true }).waitFor()
      expect(await locateMessages(one.page).getByText('linha antiga 1', { exact: true }).count()).toBe(0)
      expect(new URL(one.page.url()).pathname).toBe(`/tickets/${one.ticket}`)
    },
  },
  {
    name: 'start a new conversation',
    begins: 'known',
    async byKeys(one) {
      await button(one.page, 'Nova conversa').waitFor()
      await one.key('n')
      const search = one.dialog.getByLabel('Nome ou número do contato')
      await waitUntil('the search has the focus', () => isFocused(search))
      await one.page.keyboard.type(one.name)
      await one.dialog.getByRole('option', { name: new RegExp(one.name) }).waitFor()
      await one.page.keyboard.press('Enter')
      await finishNewConversation(one)
      await one.page.keyboard.press('Enter')
    },
    async byPointing(one) {
      await one.hand.press(button(one.page, 'Nova conversa'))
      await one.hand.write(one.dialog.getByLabel('Nome ou número do contato'), one.name)
      await one.hand.press(one.dialog.getByRole('option', { name: new RegExp(one.name) }))
      await finishNewConversation(one)
      await one.hand.press(sendButton(one.page))
    },
    async check(one) {
      await locateMessages(one.page).getByText('Seu pedido chegou.').waitFor()
      await waitForArrival(one, text => text.endsWith('\nSeu pedido chegou.'))
      const id = Number(new URL(one.page.url()).pathname.split('/').at(-1))
      const { status, user, queue, contact } = await fetchTicket({ ticket: id })
      expect([status, user?.name, queue?.name, contact.name]).toEqual(['open', 'Marina Souza', 'Suporte', one.name])
    },
  },
  {
    name: 'resolve and reopen',
    begins: 'open',
    async byKeys(one) {
      await one.key('e')
      await waitUntil('the question has the focus', () =>
        isFocused(one.dialog.getByRole('button', { name: /^Resolver/ })),
      )
      await one.page.keyboard.press('Enter')
      await isResolved(one)
      await one.key('a')
    },
    async byPointing(one) {
      await one.hand.press(button(one.page, /^Resolver/))
      const pressed = Date.now()
      await isResolved(one)
      // Two presses on one place within half a second are a double press, and that is one.
      await waitUntil('a further press is one of its own', () => Date.now() - pressed > 700)
      await one.hand.press(button(one.page, /^Reabrir/))
    },
    async check(one) {
      await one.composer.waitFor()
      await locateMessages(one.page)
        .getByText(/reabriu o atendimento/)
        .waitFor()
      const { status, user } = await fetchTicket(one)
      expect([status, user?.name]).toEqual(['open', 'Marina Souza'])
    },
  },
]

const PHONE = { width: 390, height: 844 }
const WAYS: readonly { name: string; options: DeskOptions; hand: (page: Page) => InputHand; keys: boolean }[] = [
  { name: 'by keyboard alone at 1440 px', options: {}, hand: createKeyboardHand, keys: true },
  { name: 'by mouse at 1440 px', options: {}, hand: createMouseHand, keys: false },
  { name: 'by finger at 390 px', options: { ...PHONE, touch: true }, hand: createTouchHand, keys: false },
]

let browser: Browser
let world: TestSystem
let sql: Sql
let shop: CompanyPagePhone
let call: Awaited<ReturnType<typeof signInAdministrator>>
let marina = 0
let customers = 0

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  shop = world.simulator.find('Celular da empresa') as CompanyPagePhone
  call = await signInAdministrator(world)
  const [admin] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin'`
  marina = admin?.id ?? 0
  await pairPhone(world, sql, 'Loja Centro', shop)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

/** The mouse leads through all other tests of this folder. */
for (const way of takeRounds(WAYS, 2))
  describe(`spec 1 §4, §5: ${way.name}`, () => {
    let desk: DeskSession

    beforeAll(async () => {
      desk = await signIn(browser, world, way.options)
      desk.page.setDefaultTimeout(20_000)
    }, 60_000)

    afterAll(async () => {
      await desk?.close()
    })

    for (const thing of THINGS)
      test(thing.name, async () => {
        const one = await begin(thing, desk.page, way.hand(desk.page))
        await (way.keys ? thing.byKeys(one) : thing.byPointing(one))
        await thing.check(one)
        expect(desk.complaints).toEqual([])
      })
  })

test('a desk enlarged until it is 390 px wide needs no more than Tab, arrows and Enter', async () => {
  const desk = await signIn(browser, world, PHONE)
  desk.page.setDefaultTimeout(20_000)
  const one = await begin({ begins: 'waiting' }, desk.page, createKeyboardHand(desk.page))
  const { page, hand } = one
  await hand.openTab(/Pendentes/)
  await row(one).waitFor()
  await tabToTarget(page, page.getByRole('listbox'))
  const active = page.locator('.t-slot.is-active', { hasText: one.name })
  for (let presses = 0; presses < 12 && (await active.count()) === 0; presses++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await hand.press(button(page, /^Aceitar/))
  await waitUntil('the queues have the focus', () => isFocused(one.dialog.getByRole('radio').first()))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await hand.write(one.composer, 'Bom dia!')
  await page.keyboard.press('Enter')
  await waitForArrival(one, text => text.endsWith('\nBom dia!'))
  await hand.press(button(page, /^Resolver/))
  await isResolved(one)
  await hand.press(button(page, /^Reabrir/))
  await one.composer.waitFor()
  expect((await fetchTicket(one)).status).toBe('open')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(desk.complaints).toEqual([])
  await desk.close()
})

/** A customer nobody knows yet, with what has to be there; then the desk as after signing in, or with the conversation open. */
async function begin(
  { begins, before }: Pick<Task, 'begins' | 'before'>,
  page: Page,
  hand: InputHand,
): Promise<TaskRun> {
  const number = `55319880000${String(++customers).padStart(2, '0')}`
  const name = `Freguês ${String(customers).padStart(2, '0')}`
  const customer = world.simulator.customer({ number, name })
  if (begins === 'known') await call('POST', '/contacts', { name, number })
  else await customer.whatsapp.send(shop.whatsapp, { type: 'text', text: 'Tem arroz integral?' })
  const ticket = begins === 'known' ? 0 : await waitForTicket(name)
  if (begins === 'served' || begins === 'open') {
    const [queue] = await sql<{ id: number }[]>`select id from queue where name = 'Comercial'`
    await call('PUT', `/tickets/${ticket}`, { status: 'open', userId: marina, queueId: queue?.id })
  }
  const one: TaskRun = {
    page,
    hand,
    customer,
    name,
    ticket,
    composer: page.getByPlaceholder('Escreva uma mensagem'),
    dialog: page.getByRole('dialog'),
    key: letter => pressShortcut(page, letter),
  }
  await before?.(one)
  await page.goto(`${world.url}/tickets`)
  if (begins === 'open') await hand.openConversation(name)
  return one
}

async function waitForTicket(name: string): Promise<number> {
  let id = 0
  await waitUntil(`the message of ${name} is a ticket`, async () => {
    const [found] = await sql<{ id: number }[]>`
      select t.id from ticket t join contact c on c.id = t.contact_id where c.name = ${name} and t.status = 'pending'`
    id = found?.id ?? 0
    return id !== 0
  })
  return id
}

async function fetchTicket({ ticket }: Pick<TaskRun, 'ticket'>): Promise<Ticket> {
  return (await call('GET', `/tickets/${ticket}`)) as Ticket
}

async function waitForArrival({ customer }: TaskRun, is: (text: string) => boolean): Promise<void> {
  await waitUntil("it is on the customer's phone", () => listTextsOnPhone(customer, shop).some(is))
}

async function typeInComposer({ composer, page }: TaskRun, text: string): Promise<void> {
  await waitUntil('the composer has the focus', () => isFocused(composer))
  await page.keyboard.type(text)
}

async function quickAnswerStands({ composer }: TaskRun): Promise<void> {
  await waitUntil('it stands in the field', async () => (await composer.inputValue()).startsWith('Seu pedido sai'))
}

/** Answers the first of the two messages, when both are there. */
async function replyToFirst({ page, hand }: TaskRun): Promise<void> {
  await locateMessages(page).getByText('E óleo de girassol?').waitFor()
  await hand.openMenuOf('Tem arroz integral?')
  await page.getByRole('menu').waitFor()
  await hand.press(page.getByRole('menuitem', { name: 'Responder' }))
}

async function chooseFile({ page, hand }: TaskRun): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.press(button(page, /^Anexar arquivos/))])
  await chooser.setFiles({ name: 'nota.txt', mimeType: 'text/plain', buffer: Buffer.from('10 kg de arroz') })
  await page.getByRole('list', { name: 'Arquivos para enviar' }).waitFor()
}

async function fillTransfer({ hand, dialog }: TaskRun, take: (queue: Locator) => Promise<void>): Promise<void> {
  await dialog.waitFor()
  await hand.write(dialog.getByLabel('Pessoa ou fila'), 'Financeiro')
  const queue = dialog.getByRole('option', { name: /^Financeiro/ })
  await queue.waitFor()
  await take(queue)
  await hand.write(dialog.getByLabel(/^Recado para a equipe/), 'Quer a 2ª via.')
  await hand.press(dialog.getByRole('button', { name: 'Transferir' }))
}

async function finishNewConversation(one: TaskRun): Promise<void> {
  const { hand, dialog, composer } = one
  await hand.choose(dialog, 'Fila', 'Suporte')
  await hand.choose(dialog, 'Conexão', 'Loja Centro')
  await hand.press(dialog.getByRole('button', { name: 'Iniciar conversa' }))
  await dialog.waitFor({ state: 'detached' })
  await hand.write(composer, 'Seu pedido chegou.')
}

async function isPaused(one: TaskRun): Promise<void> {
  await one.page.getByText('Conversa pausada. Retome para escrever.').waitFor()
  await one.dialog.waitFor({ state: 'detached' })
  const { status, pauseTag } = await fetchTicket(one)
  expect([status, pauseTag]).toEqual(['paused', 'Aguarda estoque'])
}

async function isResolved(one: TaskRun): Promise<void> {
  await one.page.getByText('Conversa encerrada. Reabra para escrever.').waitFor()
  expect((await fetchTicket(one)).status).toBe('closed')
  await waitForArrival(one, text => text.startsWith('Obrigado pelo contato'))
}

function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name }).first()
}

function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Enviar', exact: true })
}

/** The field while a file is chosen. */
function captionField(page: Page): Locator {
  return page.getByPlaceholder('Legenda (opcional)')
}

function searchField(page: Page): Locator {
  return page.getByLabel('Nome, número ou mensagem')
}

function row({ page, name }: TaskRun): Locator {
  return page.getByRole('option', { name: new RegExp(name) }).first()
}

function hit(one: TaskRun): Locator {
  return one.page.getByRole('listbox', { name: 'Resultados da busca' }).getByRole('option', { name: /frete de março/ })
}

/** A word nobody else says. */
function getWord({ ticket }: TaskRun): string {
  return `abacate${ticket}`
}
