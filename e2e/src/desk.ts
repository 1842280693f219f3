// A person at the desk: a browser page that complains about every error, and the few things every test does.
import axe, { type Result } from 'axe-core'
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import type { TestSystem } from './world.ts'

export interface DeskSession {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the console and of the page so far; a test ends by expecting none. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** A page of the shell that has nothing of a desk; going there and back takes a screen down without loading all again. */
const NOWHERE = '/nada'

export interface DeskOptions {
  readonly as?: 'admin' | 'gerente' | 'user'
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** A phone: fingers instead of a mouse. */
  readonly touch?: boolean
  /** What slides and fades does; otherwise nothing moves, which is quicker and what some people want. */
  readonly motion?: boolean
  /** Address of the server; the world's first one unless given. */
  readonly url?: string
}

/** Opens the desk signed in, as a browser that keeps its session: how one signs in by hand is tested where it belongs. */
export async function signIn(browser: Browser, world: TestSystem, options: DeskOptions = {}): Promise<DeskSession> {
  const desk = await openDesk(browser, options)
  const account = world.accounts.find(one => one.profile === (options.as ?? 'admin'))
  if (!account) throw new Error(`The world has no ${options.as}`)
  const { email, password } = account
  const url = options.url ?? world.url
  // The context keeps the cookies of the answer, the page its token.
  const answer = await desk.context.request.post(`${url}/auth/login`, { data: { email, password } })
  const { token, user }: { token?: string; user?: { id: number } } = await answer.json()
  if (!token || !user) throw new Error(`${email} is not let in: ${answer.status()}`)
  await desk.page.goto(`${url}/brand.css`)
  await desk.page.evaluate(
    saved => {
      for (const [name, value] of Object.entries(saved)) localStorage.setItem(`balcao.${name}`, value)
    },
    { token, person: String(user.id) },
  )
  await desk.page.goto(`${url}/tickets`)
  await desk.page.getByText('Ao vivo').waitFor({ state: 'attached' })
  return desk
}

/** A fresh browser without anybody signed in. */
export async function openDesk(browser: Browser, options: DeskOptions = {}): Promise<DeskSession> {
  const { width = 1440, height = 900, colorScheme = 'light', touch = false, motion = false } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: motion ? 'no-preference' : 'reduce',
    hasTouch: touch,
    isMobile: touch,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(formatConsoleMessage(message)))
  page.on('pageerror', error => complaints.push(String(error)))
  return { page, context, complaints, close: () => context.close() }
}

/**
 * Goes to an address of the desk as a link does: what lies over the page is shut, and what it showed taken down. To load the whole
 * desk again takes five times as long: that is for what a page shall not remember (the open tab) or was not told of (SQL of the test).
 */
export async function visit(page: Page, path: string): Promise<void> {
  const over = page.locator('[role=dialog], [role=menu]')
  for (let layers = await over.count(); layers > 0; layers--) await page.keyboard.press('Escape')
  await navigateWithin(page, NOWHERE)
  await page.getByText('Esta página não existe').waitFor()
  await over.first().waitFor({ state: 'detached' })
  await navigateWithin(page, path)
}

async function navigateWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** What the browser says of a failed load names no address: it stands beside. */
function formatConsoleMessage(message: ConsoleMessage): string {
  const { url } = message.location()
  return url ? `${message.text()} ${new URL(url).pathname}` : message.text()
}

/** Light or dark as the device says; the page hears of it a moment later. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // The phones' page has a theme of its own.
  await page.waitForFunction(wanted => (document.documentElement.dataset.theme ?? wanted) === wanted, colorScheme)
}

/** What is still changing its colour is not as it will be read; what goes round for ever is. */
async function waitForRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        one => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  )
}

/** Passed checks are not told: to describe them takes longer than to make them. No page has frames of its own. */
const READING = { resultTypes: ['violations'], preload: { assets: ['media'], timeout: 5000 }, iframes: false }
const WCAG = { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } }

/** Serious findings of axe on the page as it is now, in words; `all` reads with what is good practice too. */
export async function findAccessibilityIssues(page: Page, rules: 'wcag' | 'all' = 'wcag'): Promise<string[]> {
  await waitForRest(page)
  const options = JSON.stringify({ ...READING, ...(rules === 'wcag' ? WCAG : {}) })
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  const violations = await page.evaluate<Result[]>(`axe.run(document, ${options}).then(found => found.violations)`)
  return violations
    .filter(violation => violation.impact === 'serious' || violation.impact === 'critical')
    .map(violation => `${violation.id}: ${violation.nodes.map(node => node.target.join(' ')).join(', ')}`)
}
