// A date has one form wherever it stands: `i18n/dates.ts` writes it, and no screen does so by itself.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const ROOT = join(import.meta.dir, '../..')
const HOME = 'ui/src/i18n/dates.ts'
/** What the days of the week are called. */
const DAY_NAMES = ['ui/src/kit/forms/MomentField.tsx', 'ui/src/kit/forms/ScheduleOutlook.tsx']

test('no screen writes dates or times but by the functions for them', async () => {
  const own: string[] = []
  for await (const path of new Glob('{ui,shell,mfe-*}/src/**/*.{ts,tsx}').scan(ROOT)) {
    const source = await Bun.file(join(ROOT, path)).text()
    if (/\b(?:DateTimeFormat|RelativeTimeFormat)\(|\btoLocale(?:Date|Time)String\(|\btoDateString\(/.test(source))
      own.push(path)
  }
  expect(own.sort()).toEqual([HOME, ...DAY_NAMES])
  for (const path of DAY_NAMES) expect(await Bun.file(join(ROOT, path)).text()).toContain('weekday')
})
