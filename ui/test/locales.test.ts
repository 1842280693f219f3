import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { ERRORS } from '@balcao/contract/errors'
import { Glob } from 'bun'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PACKAGES = ['contract', 'ui', 'shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard', 'cli']

const FORM_KEYS = ['action.edit', 'form.addTitle', 'form.create', 'form.editTitle', 'form.save', 'saved']
const REMOVE_KEYS = ['action.remove', 'confirm.title', 'confirm.text', 'confirm.action', 'removed']

/** An order to somebody who is called usted, where a sentence or its half begins; the word itself. */
const USTED =
  /(^|[.:;,¿¡] )(abra|acórtelo|active|actualice|bórrelo|cópielo|deshaga|encuentre|entréguelo|muestre|pídalo|revíselo|véalo|agregue|busque|cierre|complete|confirme|cree|defina|descargue|ejecute|elija|escriba|espere|indique|intente|inténtelo|lea|mire|pida|pruebe|quite|revise|tiene que|use|vea|vuelva a) |^elija$|\busted(es)?\b|\b(intente|inténtelo) de nuevo/i

type Flat = Map<string, string>

for (const name of PACKAGES) {
  const pt = await readFlatTexts(name, 'pt')
  const others = { en: await readFlatTexts(name, 'en'), es: await readFlatTexts(name, 'es') }
  describe(`texts of ${name}`, () => {
    if (name.startsWith('mfe-') && pt.size === 0) return

    // Each folder by itself: what one screen has, another may lack.
    test('every part has the same keys in all languages', async () => {
      for (const part of await listParts(name)) {
        const keys = await listKeys(name, part, 'pt')
        for (const language of ['en', 'es'])
          expect({ part, language, keys: await listKeys(name, part, language) }).toEqual({ part, language, keys })
      }
    })

    test('a screen of the kit has the texts that the kit asks for', async () => {
      const missing: string[] = []
      for (const [file, part, used] of await listScreens(name)) {
        const known = new Set((await listKeys(name, part, 'pt')).map(key => key.replace(/_(one|other)$/, '')))
        // The count stands beside the search.
        if (known.has('search')) used.push('count')
        missing.push(...used.filter(key => !known.has(key)).map(key => `${file}: ${key}`))
      }
      expect(missing).toEqual([])
    })

    for (const [language, texts] of Object.entries(others)) {
      test(`${language} has exactly the keys of pt, each with the same values and tags`, () => {
        expect([...texts.keys()].sort()).toEqual([...pt.keys()].sort())
        const different = [...pt].filter(
          ([key, text]) => listPlaceholders(text) !== listPlaceholders(texts.get(key) ?? ''),
        )
        expect(different).toEqual([])
      })
    }

    test('no text is empty', () => {
      const empty = [pt, others.en, others.es].flatMap(texts => [...texts].filter(([, text]) => text.trim() === ''))
      expect(empty).toEqual([])
    })

    test('Spanish says tú to who reads it, everywhere', () => {
      const formal = [...others.es].filter(([, text]) => USTED.test(text))
      expect(formal).toEqual([])
    })

    test('every key the code names has a text', async () => {
      const known = new Set(
        [
          ...pt.keys(),
          ...(await readFlatTexts('ui', 'pt')).keys(),
          ...(await readFlatTexts('contract', 'pt')).keys(),
        ].map(key => key.replace(/_(one|other)$/, '')),
      )
      const missing = (await listKeysInCode(name)).filter(key => !known.has(key))
      expect(missing).toEqual([])
    })
  })
}

test.each(['pt', 'en', 'es'])(
  'every error of the catalogue has a text in %s, and no code is without its error',
  async language => {
    const texts = await listKeys('contract', 'errors', language)
    expect(texts.filter(key => key.startsWith('ERR_'))).toEqual(Object.keys(ERRORS).sort())
  },
)

/** A package's texts with those of its parts that come later (`locales/composer/pt.json`). */
async function readFlatTexts(name: string, language: string): Promise<Flat> {
  const texts: Flat = new Map()
  const folder = path.join(ROOT, name)
  for await (const file of new Glob(`${getTextsFolder(name)}/**/${language}.json`).scan(folder))
    walk(await Bun.file(path.join(folder, file)).json(), '', texts)
  return texts
}

/** What server, pages and terminal say alike stands in the contract. */
function getTextsFolder(name: string): string {
  return name === 'contract' ? 'texts' : 'locales'
}

/** The folders of a package with texts of their own; '' is the package's. */
async function listParts(name: string): Promise<string[]> {
  const files = await Array.fromAsync(new Glob('**/pt.json').scan(path.join(ROOT, name, getTextsFolder(name))))
  return files.map(file => path.dirname(file))
}

async function listKeys(name: string, part: string, language: string): Promise<string[]> {
  const texts: Flat = new Map()
  const file = Bun.file(path.join(ROOT, name, getTextsFolder(name), part, `${language}.json`))
  if (await file.exists()) walk(await file.json(), '', texts)
  return [...texts.keys()].sort()
}

/** Pages made with `DataPage`: their file, the folder of their texts, and the keys by which the kit asks. */
async function listScreens(name: string): Promise<[file: string, part: string, asked: string[]][]> {
  const found: [string, string, string[]][] = []
  for await (const file of new Glob('src/**/*Page.tsx').scan(path.join(ROOT, name))) {
    const code = await Bun.file(path.join(ROOT, name, file)).text()
    const part = /locales\/([\w-]+)\/pt\.json/.exec(code)?.[1]
    if (!part || !code.includes('<DataPage')) continue
    const each = (pattern: RegExp, prefix: string) => [...code.matchAll(pattern)].map(([, id]) => `${prefix}.${id}`)
    found.push([
      file,
      part,
      [
        ...['title', 'table', 'empty.title', 'empty.text', 'failed.title'],
        ...(/\b(onAdd|form)=/.test(code) ? ['add'] : []),
        ...(code.includes(' form={') ? FORM_KEYS : []),
        ...(code.includes(' remove={') ? REMOVE_KEYS : []),
        ...each(/\{ id: '(\w+)', icon:/g, 'action'),
        ...each(/\bid: '(\w+)',\s+(?:width|cell|figures)/g, 'column'),
        ...each(/<FormField[^>]*\bname="(\w+)"/g, 'form'),
      ],
    ])
  }
  return found
}

function walk(node: unknown, prefix: string, into: Flat) {
  if (typeof node === 'string') into.set(prefix, node)
  else if (typeof node === 'object' && node !== null)
    for (const [key, child] of Object.entries(node)) walk(child, prefix ? `${prefix}.${key}` : key, into)
}

/** The names a text fills in and the tags it marks its parts with. */
function listPlaceholders(text: string) {
  return [...text.matchAll(/\{\{\s*(\w+)\s*\}\}|<(\w+)>/g)]
    .map(match => match[1] ?? match[2])
    .sort()
    .join()
}

/** The keys written out as `t('…')`; built ones cannot be checked here. */
async function listKeysInCode(name: string) {
  const keys: string[] = []
  for await (const file of new Glob('src/**/*.{ts,tsx}').scan(path.join(ROOT, name))) {
    if (/\.test\./.test(file)) continue
    const code = (await Bun.file(path.join(ROOT, name, file)).text()).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const match of code.matchAll(/\bt\('([\w.]+)'/g)) if (match[1]) keys.push(match[1])
  }
  return [...new Set(keys)]
}
