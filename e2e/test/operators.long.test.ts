// The privacy desk and the doctor as administrators use them (decisions-2 §19, §21, §23): a person is found, handed over, asked to be
// erased and not, and in the end erased; by mouse and by keys alone, cut off from the server, on a phone, in each language.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, setColorScheme, signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { tabToTarget, waitUntil } from '../src/steps.ts'

const { browser, world, sql, desk, page } = await openTestSystem()
const NAME = 'Rosa do Privado'
const NUMBER = '5531998760001'
let rosa = 0

beforeAll(async () => {
  const [row] = await sql<{ id: number }[]>`insert into contact (name, number) values (${NAME}, ${NUMBER}) returning id`
  rosa = row?.id ?? 0
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${NUMBER}, ${rosa})`
  await sql`insert into contact (name, number) values ('Rosa de Outra Rua', '5531998760002')`
})
afterAll(async () => {
  // Cut off on purpose, and refused because a colleague was first.
  const meant = /ERR_INTERNET_DISCONNECTED|404 \(Not Found\) \/privacy\/\d+\/undo/
  expect(desk.complaints.filter(text => !meant.test(text))).toEqual([])
})

describe('§19: the privacy desk', () => {
  test('a person is found, and what is held is handed over: prepared once by a double click, and downloaded', async () => {
    await visit(page, '/privacy')
    await find(page, 'Rosa')
    await page.getByRole('list', { name: 'Pessoas achadas' }).getByRole('button').nth(1).waitFor()
    await page.getByRole('button', { name: new RegExp(NAME) }).click()
    await page.getByText('O que temos da pessoa').waitFor()
    await page.getByRole('button', { name: 'Preparar arquivo' }).dblclick()
    const card = page.getByRole('region', { name: 'Entregar' })
    const save = card.getByRole('button', { name: /^Baixar/ })
    await save.waitFor({ timeout: 60_000 })
    const coming = page.waitForEvent('download')
    await save.click()
    const download = await coming
    const archive = Buffer.from(await Bun.file(await download.path()).bytes())
    expect([download.suggestedFilename(), archive.includes('dados.json')]).toEqual([`${NAME}.zip`, true])
    expect(await sql`select 1 from job where kind = 'privacy.export'`).toHaveLength(1)
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('by keys alone: the word frees the button, it waits for the grace that is said, and is undone', async () => {
    await tabToTarget(page, page.getByRole('button', { name: 'Apagar esta pessoa' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Por 7 dias dá para desfazer, até \d\d\/\d\d\/\d{4}\. Depois, não\.$/).waitFor()
    const erase = dialog.getByRole('button', { name: 'Apagar esta pessoa' })
    expect(await erase.isDisabled()).toBe(true)
    await page.keyboard.type('apagar')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await tabToTarget(page, erase)
    // Twice in a row asks once.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const undo = page.getByRole('button', { name: 'Desfazer pedido' })
    await undo.waitFor()
    await page.getByText(/^Será apagada em/).waitFor()
    expect(await states()).toEqual(['waiting'])
    // What was pressed is gone, and the keys are where it was.
    const card = page.getByRole('region', { name: 'Apagar' })
    const isThere = () => card.evaluate(region => region.contains(document.activeElement))
    await waitUntil('the keys are in the card', isThere)
    await tabToTarget(page, undo)
    await page.keyboard.press('Enter')
    await page.getByText('Pedido desfeito.').first().waitFor()
    await page.getByRole('button', { name: 'Apagar esta pessoa' }).waitFor()
    await waitUntil('the keys are in the card', isThere)
    expect(await states()).toEqual(['undone'])
  })

  test('what a colleague undid meanwhile is told, and the page is true again', async () => {
    await ask(page)
    await sql`update privacy_erasure set state = 'undone' where state = 'waiting'`
    await page.getByRole('button', { name: 'Desfazer pedido' }).click()
    await page.getByRole('button', { name: 'Apagar esta pessoa' }).waitFor()
  })

  test('cut off from the server nobody else’s data stands for an answer; once it is back it goes on', async () => {
    await desk.context.setOffline(true)
    await find(page, 'Beto Ninguém')
    await page.getByText('Não carregou').waitFor()
    expect(await page.getByRole('button', { name: new RegExp(NAME) }).count()).toBe(0)
    await desk.context.setOffline(false)
    await find(page, NAME)
    await page.getByText('O que temos da pessoa').waitFor()
  })

  test('once it is due it is erased while one looks on: the request is done, and the person is found no more', async () => {
    await ask(page)
    // Soon, so that the page looks again and again; not yet, for the job of every five minutes may come before it is seen.
    await sql`update privacy_erasure set due_at = now() + interval '50 seconds' where state = 'waiting'`
    await page.reload()
    await find(page, NAME)
    await page.getByText(/^Será apagada em/).waitFor()
    // A test does not wait for that job.
    await sql`update privacy_erasure set due_at = now() where state = 'waiting'`
    await sql`select graphile_worker.add_job('erase-people', '{}'::json)`
    await page.getByText(`Ninguém com “${NAME}”`).waitFor({ timeout: 60_000 })
    await page.getByRole('tab', { name: /Pedidos/ }).click()
    const done = page.getByRole('listitem').filter({ hasText: `Contato nº ${rosa}` })
    await done.getByText('Apagada', { exact: true }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await states()).toEqual(['done', 'undone', 'undone'])
  })

  test('nobody but administrators comes here; who signs out leaves nothing of it behind', async () => {
    const gerente = await signIn(browser, world, { as: 'gerente' })
    for (const path of ['/privacy', '/doctor']) {
      await gerente.page.goto(world.url + path)
      await gerente.page.waitForURL('**/tickets')
      await gerente.page.getByText('Você não tem permissão para acessar essa página').first().waitFor()
    }
    await gerente.close()
    const other = await signIn(browser, world)
    await visit(other.page, '/privacy')
    await find(other.page, 'Rosa de Outra Rua')
    await other.page.getByText('O que temos da pessoa').waitFor()
    await other.page.getByRole('button', { name: 'Sua conta' }).click()
    await other.page.getByRole('menuitem', { name: 'Sair' }).click()
    await other.page.waitForURL('**/login')
    expect(await other.page.getByText('Rosa de Outra Rua').count()).toBe(0)
    await other.page.goto(`${world.url}/privacy`)
    await other.page.waitForURL('**/login')
    await other.close()
  })
})

describe('§21: the doctor', () => {
  test('says first what the shop does alone, folds away what is of the server, unfolds each area by keys, and what was seen before stays when it cannot be asked again', async () => {
    await visit(page, '/doctor')
    await page.getByRole('heading', { name: 'Para a loja' }).waitFor({ timeout: 40_000 })
    expect(await page.getByRole('link', { name: 'Abrir usuários' }).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: /^Banco de dados/ }).count()).toBe(0)
    const server = page.getByRole('button', { name: /^Para quem cuida do servidor/ })
    await tabToTarget(page, server)
    await page.keyboard.press('Enter')
    const area = page.getByRole('button', { name: /^Banco de dados/ })
    await tabToTarget(page, area)
    await page.keyboard.press('Enter')
    await page.getByText(/^PostgreSQL \d/).waitFor()
    expect(await area.getAttribute('aria-expanded')).toBe('true')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await desk.context.setOffline(true)
    await page.getByRole('button', { name: 'Conferir de novo' }).click()
    await page.getByText('Abaixo, o que foi visto antes.').waitFor()
    expect(await page.getByText(/^PostgreSQL \d/).isVisible()).toBe(true)
    await desk.context.setOffline(false)
  })
})

describe('on every screen', () => {
  test.each([
    [1024, 'en', 'light', 'Privacy', 'Diagnosis'],
    [390, 'es', 'dark', 'Privacidad', 'Diagnóstico'],
  ] as const)(
    '%d wide, in %s, %s: it fits, and every word is in that language',
    async (width, language, scheme) => {
      const other = await signIn(browser, world, { width, touch: width < 600 })
      await other.page.evaluate(chosen => localStorage.setItem('balcao.language', chosen), language)
      await setColorScheme(other.page, scheme)
      for (const name of ['privacy', 'doctor']) {
        const pt = await Bun.file(`${import.meta.dir}/../../mfe-admin/locales/${name}/pt.json`).json()
        const own = await Bun.file(`${import.meta.dir}/../../mfe-admin/locales/${name}/${language}.json`).json()
        await other.page.goto(`${world.url}/${name}`)
        await other.page
          .getByText(name === 'privacy' ? own.begin : own.shop)
          .first()
          .waitFor({ timeout: 40_000 })
        if (name === 'privacy') {
          await other.page.getByRole('searchbox', { name: own.search }).fill('Rosa de Outra Rua')
          await other.page.getByText(own.held, { exact: true }).waitFor()
        }
        expect(await other.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
        expect([name, await findAccessibilityIssues(other.page)]).toEqual([name, []])
        const texts = await listTexts(other.page)
        const foreign = listWords(pt).filter(text => text.length > 3 && !listWords(own).includes(text))
        expect(foreign.filter(text => texts.includes(text))).toEqual([])
      }
      await other.close()
    },
    120_000,
  )
})

async function find(at: Page, text: string): Promise<void> {
  await at.getByRole('searchbox', { name: 'Achar pessoa' }).fill(text)
}

/** Asks for her to be erased, with the mouse. */
async function ask(at: Page): Promise<void> {
  await at.getByRole('button', { name: 'Apagar esta pessoa' }).click()
  const dialog = at.getByRole('dialog')
  await dialog.getByLabel(/Escreva APAGAR/).fill('APAGAR')
  await dialog.getByRole('button', { name: 'Apagar esta pessoa' }).dblclick()
  await dialog.waitFor({ state: 'detached' })
  await at.getByRole('button', { name: 'Desfazer pedido' }).waitFor()
  await waitUntil('it is asked once', async () => (await states()).filter(state => state === 'waiting').length === 1)
}

/** Of the requests, the newest first. */
async function states(): Promise<string[]> {
  const rows = await sql<{ state: string }[]>`select state from privacy_erasure order by id desc`
  return rows.map(({ state }) => state)
}

function listWords(texts: object): string[] {
  return Object.values(texts).flatMap(text => (typeof text === 'string' ? [text] : listWords(text)))
}

/** Every text of the page, each as it stands. */
function listTexts(at: Page): Promise<string[]> {
  return at.locator('.b-page').evaluate(box => {
    const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walk.nextNode()) texts.push(walk.currentNode.textContent?.trim() ?? '')
    return texts
  })
}
