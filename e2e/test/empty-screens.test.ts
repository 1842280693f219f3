// A company of which nothing is there yet: whatever stands empty on the pages of the menu and in the lists of the desk says what it is for
// and has something to begin with; where nobody can begin anything its sentence says what will come there.
import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import postgres from 'postgres'
import { openTestSystem } from '../src/open-test-system.ts'

const { world, sql, desk, page } = await openTestSystem()
await emptyDesk()

/** Where nobody begins anything its sentence says what comes, and where one writes into the field above it, what. */
const WAITING = new Map([
  ['Nada registrado ainda', 'Cada mudança feita pela equipe ou pelo Balcão aparece aqui.'],
  ['Quem pediu?', 'Escreva um nome, um número, um e-mail ou um protocolo.'],
])
/** Pages that have no list of their own, or show figures of nothing. */
const WITHOUT_LIST = ['/connections', '/users', '/Settings', '/doctor', '/first-steps', '/report', '/']
/** Those that stand empty, as a screen reader says them. */
const met: string[] = []

/** As the shell reads them: a page that is added later is walked too. */
const remotes: { readonly pages: readonly { readonly path: string }[] }[] = await (
  await fetch(`${world.url}/remotes.json`)
).json()
const pages = remotes.flatMap(remote => remote.pages.map(({ path }) => path.replace(/\/:.*/, '') || '/'))

test.each(pages)('%s', async path => {
  await page.goto(world.url + path)
  const empty = page.getByRole('main').locator('.b-empty')
  if (!WITHOUT_LIST.includes(path)) await empty.first().waitFor()
  // The page stands there with what it asked for, whatever of it is empty.
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await page.getByRole('main').locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  for (const each of await empty.all()) await check(each)
})

test('the lists of the desk, internal chats and the search', async () => {
  await page.goto(`${world.url}/tickets`)
  const pane = page.locator('.t-pane .b-empty')
  for (const [tab, sub] of [
    ['Abertos', 'Atribuídos'],
    ['Abertos', 'Grupos'],
    ['Abertos', 'Pendentes'],
    ['Fechados', 'Contatos'],
    ['Fechados', 'Grupos'],
    ['Pausados', null],
    ['Interno', null],
    ['Buscar', null],
  ] as const) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
    if (sub) await page.getByRole('tab', { name: new RegExp(`^${sub}`) }).click()
    await pane.waitFor()
    await check(pane)
  }
  await page.getByRole('searchbox').fill('ninguém assim')
  await pane.getByText('Nada com “ninguém assim”').waitFor()
  await check(pane)
  await pane.getByRole('button').press('Enter')
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
  await pane.getByRole('button', { name: /^Restringir por/ }).press('Enter')
  await page.getByRole('button', { name: 'Filtros', expanded: true }).waitFor()
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
})

test('what was met is what there is', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(new Set(met).size).toBeGreaterThanOrEqual(18)
  expect(desk.complaints).toEqual([])
})

async function check(empty: Locator): Promise<void> {
  const title = (await empty.getByRole('heading').textContent()) ?? ''
  met.push(title)
  const words = (await empty.locator('p').allTextContents()).join(' ')
  expect([title, words.length > 0]).toEqual([title, true])
  const coming = WAITING.get(title)
  if (coming) expect(words).toContain(coming)
  else expect([title, await empty.locator('button, a').count()]).not.toEqual([title, 0])
}

/** The server is at work meanwhile: where both wait for each other it is tried again. */
async function emptyDesk(triesLeft = 20): Promise<void> {
  try {
    await sql`
      truncate ticket, contact, message, protocol, queue, tag, quick_answer, question, schedule, send, chat, webhook, api_token, log_entry
      cascade`
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== '40P01' || triesLeft === 0) throw error
    await emptyDesk(triesLeft - 1)
  }
}
