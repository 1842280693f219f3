import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { ERRORS } from '@balcao/contract/errors'
import { Glob } from 'bun'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const PACKAGES = ['ui', 'shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard']

type Flat = Map<string, string>

for (const name of PACKAGES) {
  const pt = await flat(name, 'pt')
  const others = { en: await flat(name, 'en'), es: await flat(name, 'es') }
  describe(`texts of ${name}`, () => {
    if (name.startsWith('mfe-') && pt.size === 0) return

    for (const [language, texts] of Object.entries(others)) {
      test(`${language} has exactly the keys of pt, each with the same values and tags`, () => {
        expect([...texts.keys()].sort()).toEqual([...pt.keys()].sort())
        const different = [...pt].filter(([key, text]) => holes(text) !== holes(texts.get(key) ?? ''))
        expect(different).toEqual([])
      })
    }

    test('no text is empty', () => {
      const empty = [pt, others.en, others.es].flatMap(texts => [...texts].filter(([, text]) => text.trim() === ''))
      expect(empty).toEqual([])
    })

    test('every key the code names has a text', async () => {
      const known = new Set(
        [...pt.keys(), ...(await flat('ui', 'pt')).keys()].map(key => key.replace(/_(one|other)$/, '')),
      )
      const missing = (await keysInCode(name)).filter(key => !known.has(key))
      expect(missing).toEqual([])
    })
  })
}

test.each(['pt', 'en', 'es'])(
  'every error of the catalogue has a text in %s, and no text is without its error',
  async language => {
    const texts = [...(await flat('ui', language)).keys()].flatMap(key => /^error\.(\w+)$/.exec(key)?.[1] ?? [])
    expect(texts.sort()).toEqual([...Object.keys(ERRORS), 'OFFLINE'].sort())
  },
)

/** A package's texts with those of its parts that come later (`locales/composer/pt.json`). */
async function flat(name: string, language: string): Promise<Flat> {
  const texts: Flat = new Map()
  const folder = path.join(ROOT, name)
  for await (const file of new Glob(`locales/**/${language}.json`).scan(folder))
    walk(await Bun.file(path.join(folder, file)).json(), '', texts)
  return texts
}

function walk(node: unknown, prefix: string, into: Flat) {
  if (typeof node === 'string') into.set(prefix, node)
  else if (typeof node === 'object' && node !== null)
    for (const [key, child] of Object.entries(node)) walk(child, prefix ? `${prefix}.${key}` : key, into)
}

/** The names a text fills in and the tags it marks its parts with. */
function holes(text: string) {
  return [...text.matchAll(/\{\{\s*(\w+)\s*\}\}|<(\w+)>/g)]
    .map(match => match[1] ?? match[2])
    .sort()
    .join()
}

/** The keys written out as `t('…')`; built ones cannot be checked here. */
async function keysInCode(name: string) {
  const keys: string[] = []
  for await (const file of new Glob('src/**/*.{ts,tsx}').scan(path.join(ROOT, name))) {
    if (/\.test\./.test(file)) continue
    const code = (await Bun.file(path.join(ROOT, name, file)).text()).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const match of code.matchAll(/\bt\('([\w.]+)'/g)) if (match[1]) keys.push(match[1])
  }
  return [...new Set(keys)]
}
