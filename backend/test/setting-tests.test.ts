// Every setting has a test named after it (decisions §5): a title with its key in it. A key that is an ordinary word stands before a
// colon or at the end.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SETTINGS } from '@balcao/contract'
import { Glob } from 'bun'

/** Settings that are stored and shown, and what they wait for. */
const COMING: Readonly<Record<string, string>> = {
  dailyCap: 'the pace of sends by connection and day',
}

const ROOT = join(import.meta.dir, '../..')
/** What a test or a group of them is called; behind `])(` stands that of a table. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\]\)\()\s*(['"`])(.+?)\1/g

test('every setting has a test named after it, or waits for what is named', async () => {
  const titles: string[] = []
  for await (const path of new Glob('{backend,contract,ui,shell,mfe-*,e2e}/**/*.test.{ts,tsx}').scan(ROOT))
    if (!path.includes('node_modules'))
      titles.push(...[...(await Bun.file(join(ROOT, path)).text()).matchAll(TITLE)].map(([, , title]) => title ?? ''))
  const named = (key: string) => {
    const pattern = new RegExp(/[A-Z]/.test(key) ? `\\b${key}\\b` : `(?:^|: |, )${key}(?:, \\w+)*(?::|$)`)
    return titles.some(title => pattern.test(title))
  }
  const keys = Object.keys(SETTINGS)
  expect(keys.filter(key => !named(key) && !(key in COMING))).toEqual([])
  // What has come is not coming.
  expect(Object.keys(COMING).filter(key => !keys.includes(key) || named(key))).toEqual([])
})
