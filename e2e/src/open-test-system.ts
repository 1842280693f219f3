// What most files of browser tests begin with: a world, a browser, and somebody signed in at a desk. All of it ends with the file.
import { afterAll } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from './browser.ts'
import { type DeskOptions, type DeskSession, signIn } from './desk.ts'
import { startTestSystem, type TestSystem, type TestSystemOptions } from './world.ts'

export interface OpenTestSystem {
  readonly browser: Browser
  readonly world: TestSystem
  readonly sql: Sql
  readonly desk: DeskSession
  readonly page: Page
}

export interface OpenTestSystemOptions extends DeskOptions {
  readonly world?: TestSystemOptions
  /** So long a page waits for something before it gives up. */
  readonly patienceMs?: number
}

export async function openTestSystem({
  world: made,
  patienceMs = 20_000,
  ...person
}: OpenTestSystemOptions = {}): Promise<OpenTestSystem> {
  const ends: (() => Promise<unknown>)[] = []
  // Also when it does not get as far as its first test.
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  }, 60_000)
  const [browser, world] = await Promise.all([
    launchBrowser().then(browser => {
      ends.push(() => browser.close())
      return browser
    }),
    startTestSystem({ here: true, ...made }).then(world => {
      ends.unshift(() => world.stop())
      return world
    }),
  ])
  const sql = postgres(world.databaseUrl, { max: 2, onnotice: () => {} })
  ends.push(() => sql.end())
  const desk = await signIn(browser, world, person)
  desk.page.setDefaultTimeout(patienceMs)
  return { browser, world, sql, desk, page: desk.page }
}
