// Who picks a contact by letters is given whom they mean first, also in a book of which a page shows but the beginning.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['ui', 'shell', 'mfe-admin', 'mfe-automation', 'mfe-dashboard', 'mfe-tickets']
/** The list itself, in its own order. */
const LIST = 'mfe-automation/src/contacts/list.ts'

test('every page that looks for contacts by letters asks for whom they mean first', async () => {
  const asking: string[] = []
  const byNames: string[] = []
  for (const file of new Bun.Glob(`{${PAGES}}/src/**/*.{ts,tsx}`).scanSync(ROOT)) {
    const text = await Bun.file(join(ROOT, file)).text()
    // The query stands in the call, or in the line before it.
    for (const [call] of text.matchAll(/(?:const query = .*\n.*)?api\('GET \/contacts'[^)]*\)/g)) {
      asking.push(file)
      if (!call.includes("order: 'match'")) byNames.push(file)
    }
  }
  expect(asking.length).toBeGreaterThanOrEqual(6)
  expect(byNames).toEqual([LIST])
})
