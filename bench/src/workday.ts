// A day of one agent in a real browser: opening and switching conversations, typing while others write, and what the tab weighs at the end.
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { launchBrowser } from '@balcao/e2e/browser'
import { signIn } from '@balcao/e2e/desk'
import { startTestSystem } from '@balcao/e2e/world'
import type { Browser, Page } from 'playwright-core'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { getEngineUrl, runOnServer } from './engine.ts'
import { ensureBuilt } from './first-load.ts'
import { computePercentile } from './measure.ts'
import { installStopwatch, measureHeap, measureKeyTimes, measureOpen } from './workday-browser.ts'
import { fillDay, startWritingCustomers } from './workday-desk.ts'

/** Conversations by J, the first ones: every second one is long. */
const STEPS = 80
const LONG = 10_000
const SHORT = 40
const READING_MS = 1000

export const workday: Benchmark = {
  name: 'workday',
  about: 'one administrator in a browser: opening, switching, typing under live events, memory of the tab',
  async run(options) {
    await ensureBuilt()
    const world = await startTestSystem({ postgresUrl: await getEngineUrl() })
    const db = openDatabase(world.databaseUrl, { max: 4 })
    const browser = await launchBrowser()
    try {
      const tickets = await fillDay(db, {
        steps: STEPS,
        long: LONG,
        short: SHORT,
        more: readNumberOption(options, 'tickets', 500),
      })
      const { page, close } = await signIn(browser, world)
      await installStopwatch(page)
      await page.getByRole('option', { name: /Cliente 0/ }).waitFor()
      const figures = [
        ...(await measureOpening(page, tickets)),
        ...(await measureTyping(browser, page, db, readNumberOption(options, 'rate', 200))),
        ...(await measureMemory(page, db, tickets, readNumberOption(options, 'events', 10_000))),
      ]
      await close()
      return figures
    } finally {
      await browser.close()
      await closeDatabase(db)
      await world.stop()
      await runOnServer(
        await getEngineUrl(),
        `drop database if exists ${new URL(world.databaseUrl).pathname.slice(1)} with (force)`,
      )
    }
  },
}

/**
 * Down the list with J as fast as it goes, each conversation for the first time; then at a reader's pace, when the page has the next one
 * ready; and up again with K to those just left. The first ones pay for code that is loaded and compiled once and do not count.
 */
async function measureOpening(page: Page, tickets: readonly number[]): Promise<Figure[]> {
  const long: number[] = []
  const short: number[] = []
  for (let n = 0; n < STEPS; n++) (n % 2 === 0 ? long : short).push(await measureOpen(page, 'j', tickets[n] ?? 0))
  const next: number[] = []
  for (let n = STEPS; n < STEPS + 15; n++) {
    await Bun.sleep(READING_MS)
    next.push(await measureOpen(page, 'j', tickets[n] ?? 0))
  }
  const back: number[] = []
  for (let n = STEPS + 13; n >= STEPS + 10; n--) back.push(await measureOpen(page, 'k', tickets[n] ?? 0))
  const first = computePercentile(short.slice(2), 0.95)
  return [
    {
      label: `opening a ticket with ${LONG} messages, key to last message painted, p95`,
      value: computePercentile(long.slice(2), 0.95),
      unit: 'ms',
      reference: { label: `with ${SHORT} messages`, value: first },
      aim: 150,
    },
    {
      label: 'switching as fast as it goes, p95',
      value: first,
      unit: 'ms',
      reference: { label: 'its messages fetched alone, p95', value: await fetchAlone(page, tickets) },
      aim: 100,
    },
    {
      label: 'switching to the next one after reading a second, p95',
      value: computePercentile(next, 0.95),
      unit: 'ms',
      aim: 100,
    },
    { label: 'switching back to one just left, p95', value: computePercentile(back, 0.95), unit: 'ms', aim: 100 },
  ]
}

/** The least a switch to a conversation not held can wait for: its page of messages over HTTP. */
async function fetchAlone(page: Page, tickets: readonly number[]): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem('balcao.token'))
  const times: number[] = []
  for (const id of tickets.slice(STEPS + 20, STEPS + 40))
    times.push(
      await page.evaluate(
        async ([path, bearer]) => {
          const start = performance.now()
          const answer = await fetch(path, { headers: { authorization: `Bearer ${bearer}` } })
          if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
          await answer.text()
          return performance.now() - start
        },
        [`/messages/${id}?pageNumber=1`, token ?? ''] as const,
      ),
    )
  return computePercentile(times, 0.95)
}

const SENTENCE = 'Bom dia! O pedido saiu hoje cedo e chega ate as onze e meia, pode ficar tranquila. '

/** Keys at the pace of a fast typist, while customers write; beside it the same keys into a bare field of an empty page. */
async function measureTyping(browser: Browser, page: Page, db: Db, rate: number): Promise<Figure[]> {
  const bare = await browser.newPage()
  await bare.setContent('<textarea></textarea>')
  const reference = await measureKeyTimes(bare, bare.locator('textarea'), SENTENCE.repeat(3))
  await bare.close()
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  const quiet = await measureKeyTimes(page, composer, SENTENCE)
  const customers = startWritingCustomers(db, rate)
  const busy = await measureKeyTimes(page, composer, SENTENCE.repeat(3))
  const written = await customers.stop()
  await composer.fill('')
  return [
    {
      label: `a key in the composer while ${Math.round(written.perSecond)} messages/s arrive, key to text in the page, p95`,
      value: computePercentile(busy, 0.95),
      unit: 'ms',
      reference: { label: 'a bare field of an empty page', value: computePercentile(reference, 0.95) },
      aim: 16,
    },
    { label: 'the same while nobody writes, p95', value: computePercentile(quiet, 0.95), unit: 'ms' },
  ]
}

/** The heap after the first tenth of a day, when everything is loaded, and at its end. */
async function measureMemory(page: Page, db: Db, tickets: readonly number[], events: number): Promise<Figure[]> {
  const walk = async (ids: readonly number[]) => {
    for (const id of ids) await measureOpen(page, null, id)
  }
  const customers = startWritingCustomers(db, 200, events)
  const tenth = Math.ceil(tickets.length / 10)
  await walk(tickets.slice(0, tenth))
  const before = await measureHeap(page)
  await walk(tickets.slice(tenth))
  await customers.done
  const after = await measureHeap(page)
  const { written } = await customers.stop()
  return [
    {
      label: `heap of the tab after ${written} messages came and ${tickets.length} tickets were opened`,
      value: after / 2 ** 20,
      unit: 'MiB',
      reference: { label: 'after a tenth of the tickets', value: before / 2 ** 20 },
      ratioAim: 1.25,
    },
  ]
}
