// Ways through the lists that need a real browser: what was found by keys, the prompt for notifications, a contact of the palette.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, signIn } from '../src/desk.ts'
import { waitUntilInView } from '../src/hands.ts'
import { isFocused, locateMessages, pressShortcut, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let desk: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`insert into contact (name, name_source, number) values ('Serralheria Aurora', 'manual', '5531977776666')`
  await sql`
    with told as (
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
      select t.id, t.contact_id, t.whatsapp_id, 500 + n, now() - interval '100 seconds' + n * interval '1 second', false, 'Recado número ' || n || '.', 'received', n <= 35
      from ticket t join contact c on c.id = t.contact_id, generate_series(1, 80) n where c.name ~ 'Padaria Estrela' and t.status = 'pending'
      returning ticket_id)
    update ticket set unread_messages = 45, message_seq = 580 where id = (select min(ticket_id) from told)`
  await sql.end()
  desk = await signIn(browser, world)
  desk.page.setDefaultTimeout(30_000)
}, 120_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await world?.stop()
})

describe('spec 1 §2: the buttons of the tickets screen', () => {
  test('one of them opens the prompt for notifications', async () => {
    const { page } = desk
    await page.getByRole('button', { name: 'Avisos neste aparelho' }).click()
    await page.getByRole('dialog', { name: 'Avisos neste aparelho' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('the palette', () => {
  test('has what was typed before it was there; the field under it has nothing of that', async () => {
    const page = await desk.context.newPage()
    const coming = Promise.withResolvers<void>()
    await page.route(/lazy-palette.*\.js$/, async route => {
      await coming.promise
      await route.continue()
    })
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('option', { name: /Lúcia/ }).first().click()
    const composer = page.getByPlaceholder('Escreva uma mensagem')
    await waitUntil('the composer has the focus', () => isFocused(composer))
    await page.keyboard.press('Control+K')
    await page.keyboard.type('Painell')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    coming.resolve()
    const palette = page.getByRole('dialog').getByRole('combobox')
    await waitUntil('the palette has the focus', () => isFocused(palette))
    await page.keyboard.type(' de')
    expect(await palette.inputValue()).toBe('Painel de')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    expect(await composer.inputValue()).toBe('')
    await page.close()
  })

  test('a contact without a conversation begins one: the form knows whom, and the address is the desk again', async () => {
    const { page } = desk
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('serralheria')
    await page.getByRole('option', { name: /Serralheria Aurora/ }).click()
    const form = page.getByRole('dialog', { name: 'Nova conversa' })
    await form.getByText('Serralheria Aurora').waitFor()
    await page.waitForURL(/\/tickets$/)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })
})

describe('spec 1 §5: J and K', () => {
  test('leave the composer without the focus, however late the conversation comes', async () => {
    const page = await desk.context.newPage()
    const coming = Promise.withResolvers<void>()
    await page.route(/\/conversation\.[^/]*\.js$/, async route => {
      await coming.promise
      await route.continue()
    })
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('option', { name: /Lúcia/ }).first().waitFor()
    await pressShortcut(page, 'j')
    await page.waitForURL(/\/tickets\/\d+$/)
    // As if the network had taken that long.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 60_000
    })
    coming.resolve()
    const composer = page.getByPlaceholder('Escreva uma mensagem')
    await composer.waitFor()
    const first = page.url()
    await pressShortcut(page, 'j')
    await waitUntil('the next one is open', () => page.url() !== first)
    await page.close()
  })
})

describe('spec 1 §2: a conversation with many unread messages', () => {
  test('begins at the first of them, and goes up and down from there without a gap', async () => {
    const page = await desk.context.newPage()
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    await page
      .getByRole('option', { name: /Padaria Estrela/ })
      .first()
      .click()
    const locateNote = (n: number) => locateMessages(page).getByText(`Recado número ${n}.`, { exact: true })
    const divider = locateMessages(page).getByText('45 mensagens novas')
    await waitUntilInView(page, divider)
    await waitUntilInView(page, locateNote(36))
    const scroll = page.locator('.c-scroll')
    for (const n of [25, 15, 5, 1]) {
      await scroll.hover()
      await waitUntil(`the message ${n} is above`, async () => {
        if ((await locateNote(n).count()) > 0) return true
        await page.mouse.wheel(0, -300)
        return false
      })
    }
    await page.getByRole('button', { name: 'Ir para a última mensagem' }).click()
    await waitUntilInView(page, locateNote(80))
    await page.close()
  })

  test('keeps its end in view while heights change, also when it is told late of its own scrolling', async () => {
    const page = await desk.context.newPage()
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('option', { name: /Lúcia/ }).first().click()
    const last = locateMessages(page).getByRole('listitem').last()
    await waitUntilInView(page, last)
    await page.locator('.c-scroll').evaluate(element => {
      element.style.setProperty('bottom', '200px')
      element.dispatchEvent(new Event('scroll'))
    })
    await waitUntil('the end is in view', () =>
      page
        .locator('.c-scroll')
        .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2),
    )
    await page.getByRole('button', { name: 'Ir para a última mensagem' }).waitFor({ state: 'detached' })
    await page.close()
  })
})

describe('spec 1 §2: what was found', () => {
  test('is gone through with J and K like any list', async () => {
    const { page } = desk
    await page.getByLabel('Nome, número ou mensagem').fill('padaria')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' })
    await found.getByRole('option').nth(1).waitFor()
    await page.getByRole('button', { name: /^Filtros/ }).focus()
    await pressShortcut(page, 'j')
    await page.waitForURL(/\/tickets\/\d+$/)
    await page.locator('.f-rows[aria-activedescendant]').waitFor()
    const first = await found.getAttribute('aria-activedescendant')
    await pressShortcut(page, 'j')
    await page.waitForFunction(
      before => document.querySelector('.f-rows')?.getAttribute('aria-activedescendant') !== before,
      first,
    )
    await pressShortcut(page, 'k')
    await page.waitForFunction(
      before => document.querySelector('.f-rows')?.getAttribute('aria-activedescendant') === before,
      first,
    )
    expect(desk.complaints).toEqual([])
  })
})

describe('the demo', () => {
  test('has internal messages that the administrator has not read', async () => {
    const { page } = desk
    await page.getByRole('button', { name: /^Mensagens internas: 2/ }).click()
    await page.getByRole('button', { name: /Avisos da loja.*Rafael: É o da filial nova.*2 não lidas/ }).waitFor()
  })
})

describe('large text (the browser’s font size)', () => {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const)
    test(`at 175 % stays within its place, ${width} px wide`, async () => {
      const { page } = desk
      await page.setViewportSize({ width, height })
      await page.goto(`${world.url}/tickets`)
      await page.getByRole('option').first().waitFor()
      await page.addStyleTag({ content: 'html { font-size: 175% }' })
      await waitUntil(
        'rows have room for it',
        async () => ((await page.locator('.t-row').first().boundingBox())?.height ?? 0) > 120,
      )
      expect(
        await listCutOff(page, ['.t-row', '.t-slot', '.t-head', '.b-segments .b-tab', '.s-bottom-item', '.s-bar']),
      ).toEqual([])
      await page.getByRole('option', { name: /Lúcia/ }).first().click()
      await page.getByPlaceholder('Escreva uma mensagem').waitFor()
      expect(await listCutOff(page, ['.c-header', '.b-button', '.m-bubble'])).toEqual([])
      // The time stands beside the last words, never on them.
      const covered = await page.locator('.m-bubble').evaluateAll(bubbles =>
        bubbles.flatMap(bubble => {
          const time = bubble.querySelector('.m-meta')?.getBoundingClientRect()
          const words = bubble.querySelector('.m-text')
          if (!time || !words) return []
          const range = document.createRange()
          range.selectNodeContents(words)
          const over = [...range.getClientRects()].some(
            line =>
              line.right > time.left + 1 &&
              line.left < time.right &&
              line.bottom > time.top + 6 &&
              line.top < time.bottom,
          )
          return over ? [words.textContent] : []
        }),
      )
      expect(covered).toEqual([])
    })
})

/** What is cut off or runs out of its box, by the words in it. */
function listCutOff(page: Page, selectors: readonly string[]): Promise<string[]> {
  return page.evaluate(
    all =>
      all.flatMap(selector =>
        [...document.querySelectorAll<HTMLElement>(selector)]
          .filter(box => box.scrollHeight > box.clientHeight + 2)
          .map(box => `${selector}: ${box.textContent?.slice(0, 40)}`),
      ),
    selectors,
  )
}
