// Opens a browser for tests: the one that the product would use.
import { findBrowser } from '@balcao/backend/messaging/channels/wwebjs/chromium'
import { type Browser, chromium } from 'playwright-core'

export { findBrowser }

/** Quiet and sealed: a browser that calls nobody but the pages of the test. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** A microphone that hums, and is allowed without a question: not every headless browser takes the permission of a context for it. */
export const INVENTED_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** Opens the browser found. `extra` are further flags, such as those for an invented microphone. */
export async function launchBrowser(extra: readonly string[] = []): Promise<Browser> {
  const found = await findBrowser()
  return chromium.launch({
    executablePath: found.path,
    args: [...FLAGS, ...extra],
    env: { ...(process.env as Record<string, string>), ...found.env },
  })
}
