// What did not load says what is wrong, and not only that nothing is lost.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const ROOT = join(import.meta.dir, '../..')
/** A frame does not tell why it failed; without its list of pages the shell has words of its own. */
const OWN_WORDS = ['mfe-tickets/src/integration/IntegrationPanel.tsx', 'shell/src/frame/Frame.tsx']

test('every screen that did not load says the sentence of its error', async () => {
  const mute: string[] = []
  let count = 0
  for await (const path of new Glob('{ui,shell,mfe-*}/src/**/*.tsx').scan(ROOT)) {
    const source = await Bun.file(join(ROOT, path)).text()
    for (const [element] of source.matchAll(/^ *[^\s*].*<ErrorState\b[\s\S]*?\/>|^ *<ErrorState\b[\s\S]*?\/>/gm)) {
      count++
      if (!/\bdescribeError\(/.test(element)) mute.push(path)
    }
  }
  expect(count).toBeGreaterThan(20)
  expect(mute.sort()).toEqual(OWN_WORDS)
})
