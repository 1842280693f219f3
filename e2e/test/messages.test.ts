// What stands in a conversation and what a person does to one message of it, in a real browser (spec 1 §3, §5).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, setColorScheme, signIn, visit } from '../src/desk.ts'
import { makePicture, makeRecording, makeTextFile, makeVcard, putMessages } from '../src/every-message.ts'
import { isFocused, pressShortcut, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
let desk: DeskSession
let page: Page
let ticket = 0

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  const [row] = await sql<{ id: number }[]>`
    select t.id from ticket t join contact c on c.id = t.contact_id where c.name like 'Dona Lúcia%' and t.status = 'open'`
  ticket = row?.id ?? 0
  await putMessages(world, sql, ticket, MESSAGES)
  desk = await signIn(browser, world, { as: 'admin' })
  page = desk.page
  page.setDefaultTimeout(20_000)
  await visit(page, `/tickets/${ticket}`)
  await locateText('Segue a tabela nova').waitFor()
}, 180_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

const box = { width: 320, height: 240 }
const MESSAGES = [
  { type: 'image', file: makePicture('a.png', 0x2c53a4, 0xf0b23a), media: box },
  { type: 'image', file: makePicture('b.png', 0xb93227, 0xfdf3dc), media: box },
  { type: 'image', file: makePicture('c.png', 0x1b7a52, 0xe1f3ea), media: box, body: 'As três de ontem' },
  { type: 'audio', file: makeRecording('voz.wav', 2), media: { seconds: 2, voice: true } },
  { type: 'application', file: makeTextFile('tabela.txt', 'x'.repeat(2048)) },
  { type: 'sticker', file: makePicture('s.png', 0xf0b23a, 0x2c53a4, 140, 140) },
  { type: 'location', body: '|https://maps.google.com/maps?q=-19.9%2C-43.9&z=17|Rua das Acácias, 81' },
  {
    type: 'contact_array',
    body: `${makeVcard('Zé do Bar', '5531988881234')}\n${makeVcard('Dona Cida', '5531977776666')}`,
  },
  { type: 'call_log' },
  { type: 'comment', mine: true, body: 'Cliente desde 2019' },
  { type: 'chat', body: 'Fale no (31) 98821-4407' },
  { type: 'chat', body: '👏🎉' },
  {
    type: 'chat',
    body: 'Quero a de 40',
    more: {
      details: { origin: { kind: 'ad', title: 'Cestas de Natal', link: 'https://www.instagram.com/p/1' } },
      quote: { id: 'NUNCA', fromMe: true, content: { mediaType: 'chat', body: 'Temos caixa de 20 e de 40' } },
    },
  },
  {
    type: 'chat',
    body: 'Tem de chocolate?',
    more: {
      details: { origin: { kind: 'story', title: '' } },
      quote: { id: 'STATUS', fromMe: true, content: { mediaType: 'image', body: 'Chegou bolo' } },
    },
  },
  {
    type: 'chat',
    body: 'Ainda tem?',
    more: { details: { origin: { kind: 'product', title: 'Caneca azul', link: 'https://wa.me/p/1', code: 'C1' } } },
  },
  { type: 'chat', body: 'Corrente da sorte', more: { forward: 'frequently' } },
  {
    type: 'chat',
    body: 'Obrigada!',
    more: { reactions: [{ by: 'Marina Souza', fromMe: true, emoji: '👍' }] },
  },
  {
    type: 'chat',
    mine: true,
    body: 'Fora do prazo',
    state: 'failed',
    more: { error_log: { code: 131047, message: 'Re-engagement message' } },
  },
  { type: 'chat', mine: true, body: 'Sem registro', state: 'failed' },
  { type: 'chat', mine: true, body: '*Marina:*\nSegue a tabela nova', state: 'read' },
] as const

describe('spec 1 §3: media types', () => {
  test('each is drawn with what belongs to it', async () => {
    await item(/^Dona Lúcia Ferreira, 3 fotos e vídeos, As três de ontem/).waitFor()
    await messages().getByText('TXT · 2 KB').waitFor()
    await messages().getByText('Abrir no mapa').waitFor()
    expect(await messages().getByText('Iniciar conversa').count()).toBe(2)
    await messages().getByText('Chamada de voz/vídeo perdida às').waitFor()
    await messages().getByText('Comentário interno · só a equipe vê').last().waitFor()
    await messages().getByText('Encaminhada com frequência').waitFor()
    await messages().getByText('já se passaram mais de 24 horas').waitFor()
    await item(/Sem registro/)
      .getByText('404')
      .waitFor()
  })

  test('who reacted is one press away', async () => {
    await messages().getByRole('button', { name: 'Reações: Marina Souza 👍' }).click()
    await page.getByRole('dialog', { name: 'Quem reagiu' }).getByText('Marina Souza').waitFor()
    await page.keyboard.press('Escape')
  })

  test('nothing of it is an obstacle, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await setColorScheme(page, colorScheme)
      expect(await findAccessibilityIssues(page)).toEqual([])
    }
    await setColorScheme(page, 'light')
  })

  test('an album opens in one viewer with arrows', async () => {
    await messages()
      .getByRole('button', { name: /^Foto 1 de 3/ })
      .press('Enter')
    const viewer = page.getByRole('dialog', { name: 'Imagem' })
    const place = viewer.getByText(/· \d+ de \d+$/)
    await waitUntil('the viewer has the keys', () => viewer.evaluate(panel => panel.contains(document.activeElement)))
    // Earlier pictures of the conversation come before the three; how many there are is said once all are known.
    const [, at, of] = /(\d+) de (\d+)$/.exec((await place.textContent()) ?? '') ?? []
    expect(Number(at)).toBe(Number(of) - 2)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await viewer.getByText(/· (\d+) de \1$/).waitFor()
    await viewer.getByText('As três de ontem').waitFor()
    const picture = viewer.getByRole('img')
    const isHeld = (how: string) =>
      waitUntil(`it stands ${how}`, async () => ((await picture.getAttribute('style')) ?? '').endsWith(`${how};`))
    await page.keyboard.press('+')
    await isHeld('rotate(0deg) scale(1.5)')
    await viewer.getByRole('button', { name: 'Girar' }).click()
    await isHeld('rotate(90deg) scale(1)')
    await picture.dblclick()
    await isHeld('rotate(90deg) scale(2.5)')
    await page.mouse.wheel(0, -100)
    await isHeld('rotate(90deg) scale(3)')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('ArrowLeft')
    await isHeld('rotate(0deg) scale(1)')
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
  })

  test('one reacts with any emoji, found by its name, typed before its code is there', async () => {
    const thanks = item(/Obrigada!/)
    await thanks.focus()
    await page.keyboard.press('Enter')
    const other = page.getByRole('button', { name: 'Outro emoji' })
    await other.waitFor()
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\.js$/, async route => {
      await promise
      await route.continue()
    })
    await other.press('Enter')
    await page.keyboard.type('foguete')
    resolve()
    const picker = page.getByRole('dialog', { name: 'Emojis' })
    const search = picker.getByRole('searchbox')
    await waitUntil('it stands there', async () => (await search.inputValue()) === 'foguete')
    await page.unroute(/\.js$/)
    const rocket = picker.getByRole('button', { name: 'foguete', exact: true })
    await rocket.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await rocket.press('Enter')
    await picker.waitFor({ state: 'detached' })
    await messages()
      .getByRole('button', { name: /^Reações: Marina Souza 🚀/ })
      .waitFor()
  })

  test('a number in a message is copied by keys, and emoji alone are large', async () => {
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const number = messages().getByRole('button', { name: '(31) 98821-4407' })
    const copy = page.getByRole('menuitem', { name: 'Copiar número' })
    // A double click opens its menu, and does not close it again.
    await number.dblclick()
    await copy.waitFor()
    await page.keyboard.press('Escape')
    await number.press('Enter')
    await copy.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await copy.press('Enter')
    await page.getByText('Texto copiado').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('(31) 98821-4407')
    expect(await readSize('👏🎉')).toBeGreaterThan(1.5 * (await readSize('Corrente da sorte')))
  })

  test('what an answer quotes is read also where the desk never had it, and the ad that it came by has its link', async () => {
    const answer = item(/Quero a de 40/)
    await answer.locator('.m-quoted').getByText('Temos caixa de 20 e de 40').waitFor()
    await answer.locator('.m-quoted').getByText('Você', { exact: true }).waitFor()
    expect(await answer.locator('button.m-quoted').count()).toBe(0)
    await answer.getByText('Veio do anúncio: Cestas de Natal').waitFor()
    expect(await readSize('instagram.com')).toBeLessThanOrEqual(await readSize('Quero a de 40'))
  })

  test('an answer to a status says so with what the status was, a question about a product names it', async () => {
    const story = item(/Tem de chocolate/)
    await story.getByText('Respondeu ao status', { exact: true }).waitFor()
    await story.locator('.m-quoted').getByText('Chegou bolo').waitFor()
    expect(await story.locator('button.m-quoted').count()).toBe(0)
    const product = item(/Ainda tem/)
    await product.getByText('Sobre o produto Caneca azul').waitFor()
    expect(await product.getByRole('link', { name: 'wa.me' }).getAttribute('href')).toBe('https://wa.me/p/1')
  })

  test('a contact card leads to a new conversation with that contact', async () => {
    await messages().getByRole('button', { name: 'Iniciar conversa com Zé do Bar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Zé do Bar').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const [made] = await sql`select 1 from contact where number = '5531988881234' and name = 'Zé do Bar'`
    expect(made).toBeDefined()
  })
})

describe('spec 1 §5: the menu of a message', () => {
  test('by keyboard: arrows go to the message, Enter opens its menu, forward sends it to several contacts', async () => {
    await openByKeyboard(/Corrente da sorte/)
    await page.getByRole('menuitem', { name: 'Encaminhar' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Encaminhar mensagem' })
    for (const name of ['João Almeida', 'Mercadinho Ribeiro'])
      await dialog.getByRole('checkbox', { name: new RegExp(name) }).press('Space')
    await dialog.getByRole('button', { name: 'Encaminhar a 2' }).press('Enter')
    await page.getByText('Mensagem encaminhada com sucesso').waitFor()
    await waitUntil('both are forwarded or named', async () => {
      const rows =
        await sql`select 1 from message where forward = 'frequently' and from_me and body = 'Corrente da sorte'`
      return rows.length > 0
    })
    if (await dialog.isVisible()) await page.keyboard.press('Escape')
  })

  test('transcribe says that it does and writes the text into the bubble', async () => {
    await openByKeyboard(/, Áudio,/)
    await page.getByRole('menuitem', { name: 'Transcrever' }).press('Enter')
    await page.getByText('Transcrevendo áudio').waitFor()
    await messages().locator('.m-transcription').getByText('“').waitFor()
  })

  test('a text that still waits is edited; information keeps what it said before', async () => {
    const composer = page.getByPlaceholder('Escreva uma mensagem')
    await composer.fill('Chega na terça')
    await page.keyboard.press('Enter')
    await locateText('Chega na terça').waitFor()
    await openMenu('Chega na terça', 'Editar')
    await composer.fill('Chega na quarta')
    await page.keyboard.press('Enter')
    await locateText('Chega na quarta').waitFor()
    await openMenu('Chega na quarta', 'Informações')
    const dialog = page.getByRole('dialog', { name: 'Informações da mensagem' })
    await dialog.getByText('O que dizia antes').waitFor()
    await dialog.getByText('Chega na terça').waitFor()
    await dialog.getByText('Marina Souza').first().waitFor()
    await page.keyboard.press('Escape')
  })

  test('only own texts offer to be edited, and nothing but own messages to be deleted', async () => {
    await openByKeyboard(/Obrigada!/)
    await page.getByRole('menuitem', { name: 'Informações' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Editar|Apagar/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

test('from its menu a message begins the marking, a press with Shift marks all up to it, Escape lets go of them', async () => {
  await openByKeyboard(/Corrente da sorte/)
  await page.getByRole('menuitem', { name: 'Selecionar mensagens' }).press('Enter')
  const bar = page.getByRole('region', { name: 'Mensagens selecionadas' })
  await bar.getByText('1 mensagem selecionada').waitFor()
  await item(/Segue a tabela nova/).click({ modifiers: ['Shift'] })
  await bar.getByText('5 mensagens selecionadas').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

describe('the files of the customer', () => {
  test('are one key away; arrows go through pictures, documents, recordings and links', async () => {
    await page.locator('.c-conversation').focus()
    await pressShortcut(page, 'd')
    const tab = (name: string) => page.getByRole('tab', { name, exact: true, selected: true })
    const thumbs = page.getByRole('tabpanel', { name: 'Mídia' }).getByRole('button', { name: /^Abrir/ })
    await waitUntil('the first kind has the focus', () => isFocused(tab('Mídia')))
    await thumbs.nth(2).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect(await isFocused(thumbs.nth(1))).toBe(true)
    await page.keyboard.press('Enter')
    const viewer = page.getByRole('dialog', { name: 'Imagem' })
    await waitUntil('the viewer has the keys', () => viewer.evaluate(panel => panel.contains(document.activeElement)))
    await page.keyboard.press('Escape')
    await waitUntil('the picture has the focus again', () => isFocused(thumbs.nth(1)))
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    const documents = page.getByRole('tabpanel', { name: 'Documentos' })
    await documents.getByRole('link', { name: 'Baixar tabela.txt' }).waitFor()
    expect(await documents.getByRole('button', { name: 'Ouvir' }).count()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await waitUntil('the recordings are chosen', () => isFocused(tab('Áudios')))
    const play = page.getByRole('tabpanel', { name: 'Áudios' }).getByRole('button', { name: 'Ouvir' })
    await play.first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await setColorScheme(page, colorScheme)
      expect(await findAccessibilityIssues(page)).toEqual([])
    }
    await setColorScheme(page, 'light')
    await page.keyboard.press('Tab')
    expect(await isFocused(play.first())).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('.x-gallery').waitFor({ state: 'detached' })
    await waitUntil('the conversation has the focus', () => isFocused(page.locator('.c-conversation')))
  })
})

describe('spec 1 §7: the summary of a ticket', () => {
  test('stands in a dialog and can be copied', async () => {
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Resumir com IA' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resumo da conversa' })
    await dialog.getByText(/O cliente escreveu \d+ de \d+ mensagens/).waitFor()
    await dialog.getByRole('button', { name: 'Copiar' }).click()
    await page.getByText('Texto copiado').waitFor()
    await page.keyboard.press('Escape')
  })

  test('the browser had nothing to complain about', () => {
    expect(desk.complaints).toEqual([])
  })
})

function messages(): Locator {
  return page.getByRole('region', { name: 'Mensagens' })
}

function item(name: RegExp): Locator {
  return messages().getByRole('listitem', { name }).last()
}

async function readSize(text: string): Promise<number> {
  const found = messages().getByText(text, { exact: true })
  return Number.parseFloat(await found.evaluate(one => getComputedStyle(one).fontSize))
}

function locateText(text: string): Locator {
  return messages().locator('.m-text').getByText(text, { exact: true }).last()
}

/** Up the messages from the last one until the one looked for has the focus, then its menu. */
async function openByKeyboard(name: RegExp): Promise<void> {
  const rows = messages().getByRole('listitem')
  await rows.last().focus()
  for (let step = await rows.count(); step > 0; step--) {
    const now = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    if (name.test(now)) break
    await page.keyboard.press('ArrowUp')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('menu', { name: 'Ações da mensagem' }).waitFor()
}

async function openMenu(text: string, choice: string): Promise<void> {
  const row = messages().getByRole('listitem').filter({ hasText: text }).last()
  await row.hover()
  await row.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: choice }).click()
}
