// Where screens are shown: the whole of Balcão with a furnished company, and a browser that is signed in as each profile at both
// widths. The gallery photographs the screens of `screens.ts`, the accessibility test reads them.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../browser.ts'
import { type Desk, openDesk, signIn } from '../desk.ts'
import { administrator } from '../steps.ts'
import { startWorld, type World } from '../world.ts'
import { type Furnished, furnish } from './furnish.ts'

export type Device = 'desk' | 'phone'
export type Who = 'admin' | 'gerente' | 'user' | 'nobody'

/** What the steps of a screen work with. */
export interface Stage {
  readonly page: Page
  readonly context: BrowserContext
  readonly device: Device
  readonly phone: boolean
  readonly world: World
  readonly sql: postgres.Sql
  readonly made: Furnished
  /** Calls of the API as the administrator. */
  readonly api: (method: string, path: string, body?: object) => Promise<unknown>
  /** Opens an address and waits until the line is live. */
  open(path: string): Promise<void>
}

/** One screen, dialog or state: how to get there. */
export interface Screen {
  /** File name and title; unique. */
  readonly name: string
  readonly as?: Who
  /** Only there; on both unless given. */
  readonly on?: Device
  readonly steps: (stage: Stage) => Promise<unknown>
  /** Puts back what the steps changed for others. */
  readonly after?: (stage: Stage) => Promise<unknown>
  /** Rules of axe that do not count here, and why. */
  readonly except?: Readonly<Record<string, string>>
}

export interface Theatre {
  readonly world: World
  /** Shows a screen on a fresh page and hands it over; closes it afterwards. */
  show<T>(screen: Screen, device: Device, look: (page: Page) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const STEP_MS = 10_000

/** Starts everything. */
export async function openTheatre(): Promise<Theatre> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-gallery-'))
  await chmod(dataDir, 0o711)
  const postgresUrl = process.env.TEST_PG
  const [browser, world] = await Promise.all([
    launchBrowser(),
    startWorld({
      dataDir,
      env: {
        INVOICES_URL: 'https://financeiro.example/faturas',
        COMPANY_TAX_ID: '12345678000190',
        INVOICES_SECRET: 'segredo-da-galeria',
      },
      ...(postgresUrl ? { postgresUrl } : {}),
    }),
  ])
  const sql = postgres(world.databaseUrl, { max: 2, onnotice: () => {} })
  const made = await furnish(browser, world, sql, dataDir)
  const api = await administrator(world)
  const signedIn = new Map<string, Promise<Desk>>()

  return {
    world,
    async show(screen, device, look) {
      const { as: who = 'admin' } = screen
      const desk = who === 'nobody' ? await openAt(browser, device) : await signedInAs(who, device)
      const page = who === 'nobody' ? desk.page : await desk.context.newPage()
      page.setDefaultTimeout(STEP_MS)
      const stage: Stage = {
        page,
        context: desk.context,
        device,
        phone: device === 'phone',
        world,
        sql,
        made,
        api,
        async open(path) {
          await page.goto(world.url + path)
          await page.getByText('Ao vivo').first().waitFor({ state: 'attached' })
        },
      }
      try {
        await screen.steps(stage)
        await settled(page)
        return await look(page)
      } finally {
        await desk.context.setOffline(false)
        await screen.after?.(stage)
        await (who === 'nobody' ? desk.close() : page.close())
      }
    },
    async close() {
      for (const desk of signedIn.values()) await (await desk).close()
      await made.close()
      await browser.close()
      await sql.end()
      await world.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }

  function signedInAs(as: Exclude<Who, 'nobody'>, device: Device): Promise<Desk> {
    const key = `${as} ${device}`
    const known = signedIn.get(key) ?? enter(as, device)
    signedIn.set(key, known)
    return known
  }

  async function enter(as: Exclude<Who, 'nobody'>, device: Device): Promise<Desk> {
    const desk = await signIn(browser, world, { as, ...SIZES[device], touch: device === 'phone' })
    // The notes on the update come once per browser session; their own screen shows them.
    await desk.context.addInitScript(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('balcao.draft.')) localStorage.removeItem(key)
    })
    await desk.page.goto('about:blank')
    return desk
  }
}

function openAt(browser: Browser, device: Device): Promise<Desk> {
  return openDesk(browser, { ...SIZES[device], touch: device === 'phone' })
}

/** No skeleton, no movement, letters and pictures loaded. */
async function settled(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(async () => {
    await document.fonts.ready
    const moving = document.getAnimations().filter(one => one.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(moving.map(one => one.finished.catch(() => null)))
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}
