// Photographs every screen and state, light and dark, at 1440 and 390 px, into .gallery/ with a page to look at all of them.
// `npm run gallery -- dialog chat` takes only those whose name holds one of the words; `--desk`, `--phone`, `--laptop` (1024 px) only that
// width, `--month` a company that has worked for a month.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runOnShutdown } from '@balcao/backend/platform/ending'
import { setColorScheme } from '@balcao/e2e/desk'
import { renderGalleryPage } from '@balcao/e2e/gallery/page'
import { SCREENS } from '@balcao/e2e/gallery/screens'
import { openBrowserHarness, type ScreenSize } from '@balcao/e2e/gallery/stage'
import { buildFrontEndWhenStale } from './build-when-stale.ts'

const OUT = process.env.GALLERY ?? join(import.meta.dir, '../.gallery')
const words = process.argv.slice(2).filter(word => !word.startsWith('--'))
const named = (['desk', 'laptop', 'phone'] as const).filter(device => process.argv.includes(`--${device}`))
const devices: readonly ScreenSize[] = named.length > 0 ? named : ['desk', 'phone']
const chosen = SCREENS.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))

// At once: who drives a browser would go on without it.
runOnShutdown(async () => {})
await buildFrontEndWhenStale()
if (words.length === 0) await rm(OUT, { recursive: true, force: true })
await mkdir(OUT, { recursive: true })
const harness = await openBrowserHarness({ month: process.argv.includes('--month') })
const failed: string[] = []
try {
  for (const device of devices)
    for (const screen of chosen.filter(({ on }) => !on || on === (device === 'laptop' ? 'desk' : device)))
      await takeScreenshots(screen, device)
} finally {
  await harness.close()
}
await Bun.write(join(OUT, 'index.html'), renderGalleryPage(SCREENS))
console.log(`\n${join(OUT, 'index.html')}: ${chosen.length} screens`)
if (failed.length > 0) console.error(`\n${failed.length} not reached:\n${failed.map(line => `  ${line}`).join('\n')}`)
process.exit(failed.length > 0 ? 1 : 0)

async function takeScreenshots(screen: (typeof SCREENS)[number], device: ScreenSize): Promise<void> {
  try {
    await harness.show(screen, device, async page => {
      for (const theme of ['light', 'dark'] as const) {
        await setColorScheme(page, theme)
        await page.screenshot({
          path: join(OUT, `${screen.name}-${device}-${theme}.png`),
          animations: 'disabled',
          timeout: 60_000,
        })
      }
    })
    process.stdout.write('.')
  } catch (error) {
    process.stdout.write('x')
    failed.push(`${screen.name} (${device}): ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
}
