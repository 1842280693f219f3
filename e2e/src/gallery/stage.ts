// Where screens are shown: the whole of Balcão with a furnished company, and a browser that is signed in as each profile at both
// widths. The gallery photographs the screens of `screens.ts`, the accessibility test reads them.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import postgres from 'postgres'
import { INVENTED_MICROPHONE, launchBrowser } from '../browser.ts'
import { type DeskSession, openDesk, setColorScheme, signIn, visit } from '../desk.ts'
import { signInAdministrator } from '../steps.ts'
import { startTestSystem, type TestSystem } from '../world.ts'
import { fillGallery, type GalleryData } from './furnish.ts'

export type ScreenSize = 'desk' | 'laptop' | 'phone'
export type Viewer = 'admin' | 'gerente' | 'user' | 'nobody'

/** What the steps of a screen work with. */
export interface ScreenContext {
  readonly page: Page
  readonly context: BrowserContext
  readonly device: ScreenSize
  readonly phone: boolean
  readonly world: TestSystem
  readonly sql: postgres.Sql
  readonly made: GalleryData
  /** Calls of the API as the administrator. */
  readonly api: (method: string, path: string, body?: object) => Promise<unknown>
  /** Opens an address and waits until the line is live. */
  open(path: string): Promise<void>
}

/** One screen, dialog or state: how to get there. */
export interface Screen {
  /** File name and title; unique. */
  readonly name: string
  readonly as?: Viewer
  /** Only there; on both unless given. */
  readonly on?: ScreenSize
  /** Needs a page of its own: it changes what the server answers, or what the page remembers. */
  readonly fresh?: boolean
  /** A state of another screen with few parts of its own: accessibility is read at 390 px alone, by `test:long`. */
  readonly state?: boolean
  readonly steps: (stage: ScreenContext) => Promise<unknown>
  /** Puts back what the steps changed for others. */
  readonly after?: (stage: ScreenContext) => Promise<unknown>
  /** Rules of axe that do not count here, and why. */
  readonly except?: Readonly<Record<string, string>>
}

export interface BrowserHarness {
  readonly world: TestSystem
  /**
   * Shows a screen and hands its page over, with what makes it as narrow and dark as a phone's; on a fresh page unless the harness is a
   * quick one.
   */
  show<T>(
    screen: Screen,
    device: ScreenSize,
    inspect: (page: Page, narrow: () => Promise<void>) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

const SIZES = {
  desk: { width: 1440, height: 900 },
  laptop: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const
const STEP_MS = 20_000
/** For all steps of a screen and who looks at it; with what comes after it less than a test has. */
const SCREEN_MS = 65_000
const CLOSE_MS = 10_000

export interface BrowserHarnessOptions {
  /**
   * Keeps one page a person and goes from screen to screen within it: quicker, with what a page remembers left standing. A desk is
   * light, a phone dark.
   */
  readonly quick?: boolean
  /** The company has lived a month before today. */
  readonly month?: boolean
}

/** Starts everything. */
export async function openBrowserHarness({
  quick = false,
  month = false,
}: BrowserHarnessOptions = {}): Promise<BrowserHarness> {
  const [browser, world] = await Promise.all([
    launchBrowser(INVENTED_MICROPHONE),
    startTestSystem({
      ...{ here: true, month },
      env: {
        INVOICES_URL: 'https://financeiro.example/faturas',
        COMPANY_TAX_ID: '12345678000190',
        INVOICES_SECRET: 'segredo-da-galeria',
      },
    }),
  ])
  const sql = postgres(world.databaseUrl, { max: 2, onnotice: () => {} })
  const made = await fillGallery(browser, world, sql)
  const api = await signInAdministrator(world)
  const signedIn = new Map<string, Promise<DeskSession>>()
  const still = new WeakSet<Page>()

  return {
    world,
    async show(screen, device, inspect) {
      const { as: person = 'admin' } = screen
      const desk = person === 'nobody' ? await openOnDevice(browser, device) : await signedInAs(person, device)
      const reused = quick && !screen.fresh && person !== 'nobody'
      const page = reused || person === 'nobody' ? desk.page : await desk.context.newPage()
      page.setDefaultTimeout(STEP_MS)
      // From the beginning: what opens need not be waited for, and a page that stands draws nothing.
      if (!still.has(page)) await setColorScheme(page, quick && device === 'phone' ? 'dark' : 'light')
      still.add(page)
      const stage: ScreenContext = {
        page,
        context: desk.context,
        device,
        phone: device === 'phone',
        world,
        sql,
        made,
        api,
        async open(path) {
          if (reused && page.url().startsWith(world.url)) await visit(page, path)
          else await page.goto(world.url + path)
          // On a phone a conversation is the whole screen: the dot is not there.
          await page.getByText('Ao vivo').or(page.locator('.c-conversation')).first().waitFor({ state: 'attached' })
        },
      }
      let shown = false
      let narrowed = false
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error(`${screen.name} was not there in time`)), SCREEN_MS)
      try {
        // A page that answers no more is given up before the test's own time is over, which would take the browser of all others along.
        const seen = await Promise.race([reach(), late.promise])
        shown = true
        return seen
      } finally {
        clearTimeout(timer)
        await desk.context.setOffline(false)
        await screen.after?.(stage)
        // A page that stays is answered by the server again; one that goes must not leave an answer half made.
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        if (narrowed && reused && shown) await dress('desk')
        if (person === 'nobody') await desk.close()
        // What could not be reached leaves nothing behind for the next one: that signs in anew.
        else if (!shown) await giveUp(person, device)
        else if (!reused) await page.close()
      }

      async function reach() {
        await screen.steps(stage)
        await waitUntilSettled(page)
        return inspect(page, narrow)
      }

      async function narrow() {
        narrowed = true
        await dress('phone')
        await waitUntilSettled(page)
      }

      async function dress(as: ScreenSize) {
        // At once, so that the page is laid out once.
        await Promise.all([page.setViewportSize(SIZES[as]), setColorScheme(page, as === 'phone' ? 'dark' : 'light')])
      }
    },
    async close() {
      for (const desk of signedIn.values()) await (await desk).close()
      await made.close()
      await browser.close()
      await sql.end()
      await world.stop()
    },
  }

  function signedInAs(as: Exclude<Viewer, 'nobody'>, device: ScreenSize): Promise<DeskSession> {
    const key = `${as} ${device}`
    const known = signedIn.get(key) ?? enter(as, device)
    signedIn.set(key, known)
    return known
  }

  async function giveUp(as: Exclude<Viewer, 'nobody'>, device: ScreenSize): Promise<void> {
    const desk = await signedInAs(as, device)
    signedIn.delete(`${as} ${device}`)
    await Promise.race([desk.close(), Bun.sleep(CLOSE_MS)])
  }

  async function enter(as: Exclude<Viewer, 'nobody'>, device: ScreenSize): Promise<DeskSession> {
    const desk = await signIn(browser, world, { as, ...SIZES[device], touch: device === 'phone' })
    // The notes on the update come once per browser session; their own screen shows them.
    await desk.context.addInitScript(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('balcao.draft.')) localStorage.removeItem(key)
    })
    await desk.page.goto('about:blank')
    return desk
  }
}

function openOnDevice(browser: Browser, device: ScreenSize): Promise<DeskSession> {
  return openDesk(browser, { ...SIZES[device], touch: device === 'phone' })
}

/** No skeleton, no movement, letters and pictures loaded. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const moving = document.getAnimations().filter(one => one.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(moving.map(one => one.finished.catch(() => null)))
    // Only those in sight: others may wait to be scrolled to.
    const coming = [...document.images].filter(one => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return !one.complete && document.elementFromPoint(x + width / 2, y + height / 2) === one
    })
    await Promise.all(
      coming.map(one => new Promise(done => ['load', 'error'].map(end => one.addEventListener(end, done)))),
    )
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}
