// Every page of the menu opened for the first time in a browser that has never been there: from the press to its content painted.
import { launchBrowser } from '@balcao/e2e/browser'
import { signIn } from '@balcao/e2e/desk'
import { startTestSystem, type TestSystem } from '@balcao/e2e/world'
import type { Browser, Page } from 'playwright-core'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { getEngineUrl, runOnServer } from './engine.ts'
import { ensureBuilt } from './first-load.ts'
import { computePercentile } from './measure.ts'

/** A page of the shell alone: what any page must wait for. */
const EMPTY = '/nada'
/** Rows, cards or the word that there are none; and nothing that stands in for what is still to come. */
const CONTENT = 'main .b-page :is(tbody tr, .b-empty, .b-card, .rounded-card)'
const COMING = 'main :is(.b-bone, [aria-busy=true])'
const NOTHING = 'main > .b-empty'

export const openings: Benchmark = {
  name: 'openings',
  about: 'each page of the menu opened for the first time in a fresh browser, press to content painted',
  async run(options) {
    await ensureBuilt()
    const world = await startTestSystem({ postgresUrl: await getEngineUrl() })
    const browser = await launchBrowser()
    try {
      return await measureOpenings(browser, world, readNumberOption(options, 'times', 3))
    } finally {
      await browser.close()
      await world.stop()
      await runOnServer(
        await getEngineUrl(),
        `drop database if exists ${new URL(world.databaseUrl).pathname.slice(1)} with (force)`,
      )
    }
  },
}

/** The quickest of some openings of each page, since the machine does other things as well; beside it an empty page opened then. */
export async function measureOpenings(browser: Browser, world: TestSystem, times: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const path of await listPaths(browser, world)) {
    const opened: number[] = []
    const empty: number[] = []
    for (let n = 0; n < times; n++) {
      const { page, close } = await signIn(browser, world)
      await page.getByRole('option').first().waitFor()
      opened.push(await measureOpening(page, path))
      empty.push(await measureEmptyPage(page))
      await close()
    }
    figures.push({
      label: `${path} for the first time, press to content`,
      value: Math.min(...opened),
      unit: 'ms',
      reference: { label: 'an empty page of the shell', value: computePercentile(empty, 0.5) },
      aim: 300,
    })
  }
  return figures
}

async function listPaths(browser: Browser, world: TestSystem): Promise<string[]> {
  const { page, close } = await signIn(browser, world)
  const paths = await page.locator('.s-rail a').evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  await close()
  return paths.filter(path => path !== '/tickets')
}

async function measureOpening(page: Page, path: string): Promise<number> {
  const painted = waitUntilPainted(page, 'click', CONTENT)
  await page.locator(`.s-rail a[href="${path}"]`).click()
  return await painted
}

async function measureEmptyPage(page: Page): Promise<number> {
  const painted = waitUntilPainted(page, 'popstate', NOTHING)
  await page.evaluate(path => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, EMPTY)
  return await painted
}

/** Milliseconds from an event to the first frame in which what is waited for stands, and nothing in place of it. */
function waitUntilPainted(page: Page, event: string, awaited: string): Promise<number> {
  return page.evaluate(
    ([name, content, coming]) =>
      new Promise<number>(done => {
        addEventListener(
          name,
          ({ timeStamp }) => {
            const check = () => {
              if (!document.querySelector(content) || document.querySelector(coming))
                return requestAnimationFrame(check)
              // A message of a channel is handled after the frame was handed over.
              const channel = new MessageChannel()
              channel.port1.onmessage = () => done(performance.now() - timeStamp)
              channel.port2.postMessage(null)
            }
            requestAnimationFrame(check)
          },
          { capture: true, once: true },
        )
      }),
    [event, awaited, COMING] as const,
  )
}
