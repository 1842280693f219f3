// Finds a Chromium: CHROME_PATH, the system's, Playwright's cache, or the one that the npm package @sparticuz/chromium carries.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export interface BrowserInstallation {
  readonly path: string
  readonly from: 'CHROME_PATH' | 'system' | 'playwright' | 'package'
  readonly env: Record<string, string>
}

/** The first browser of the list above; throws with what to do when there is none. */
export async function findBrowser(env: Record<string, string | undefined> = process.env): Promise<BrowserInstallation> {
  if (env.CHROME_PATH) {
    if (!existsSync(env.CHROME_PATH)) throw new Error(`CHROME_PATH names ${env.CHROME_PATH}, which is not there.`)
    return { path: env.CHROME_PATH, from: 'CHROME_PATH', env: {} }
  }
  if (env.BALCAO_BROWSER !== 'package') {
    const system = SYSTEM.find(existsSync)
    if (system) return { path: system, from: 'system', env: {} }
    const cached = await inPlaywrightCache()
    if (cached) return { path: cached, from: 'playwright', env: {} }
  }
  return fromPackage()
}

async function inPlaywrightCache(): Promise<string | null> {
  const caches = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
  ]
  for (const cache of caches) {
    if (!cache || !existsSync(cache)) continue
    for (const folder of (await readdir(cache))
      .filter(name => name.startsWith('chromium'))
      .sort()
      .reverse()) {
      for (const inner of [
        'chrome-linux/chrome',
        'chrome-linux64/chrome',
        'chrome-headless-shell-linux64/chrome-headless-shell',
        'chrome-linux/headless_shell',
        'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
      ]) {
        const path = join(cache, folder, inner)
        if (existsSync(path)) return path
      }
    }
  }
  return null
}

/** The packaged Chromium brings its own libraries for machines without them; they go in front of the system's. */
async function fromPackage(): Promise<BrowserInstallation> {
  // On a machine that is not a cloud function the package unpacks its libraries only when this says that it is one.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x'
  const packaged = await import('@sparticuz/chromium').catch(() => null)
  if (!packaged)
    throw new Error('This installation came without Chromium: install the system’s, or name one with CHROME_PATH.')
  const path = await packaged.default.executablePath()
  return {
    path,
    from: 'package',
    env: { LD_LIBRARY_PATH: [join(tmpdir(), 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') },
  }
}
