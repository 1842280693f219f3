// One kind of style in each place (CONTRIBUTING.md): classes of our own with a sheet, or Tailwind's utilities without one.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { Glob } from 'bun'

const root = path.join(import.meta.dirname, '../..')
const OWN = ['shell/src', 'mfe-tickets/src', 'ui/src/kit/parts', 'ui/src/kit/forms']
const UTILITIES = ['mfe-admin/src', 'mfe-automation/src', 'mfe-dashboard/src', 'ui/src/kit/screens', 'ui/src/try-it']
/** The whole page's: tokens, base, PrimeReact's theme. */
const THEME = ['ui/src/kit/theme']

const sheets = (await readAll('**/*.css', [...OWN, ...THEME])).map(({ file, text }) => ({
  file,
  classes: [...text.replace(/\/\*.*?\*\//gs, '').matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name = '']) => name),
}))
const sources = await readAll('**/*.{ts,tsx,html}', ['shell/src', 'mfe-tickets/src', 'ui/src', ...UTILITIES])

test('where classes are our own, every class has a rule, and none is a utility', async () => {
  const known = new Set(sheets.flatMap(({ classes }) => classes))
  const stray = (await readAll('**/*.tsx', OWN)).flatMap(({ file, text }) =>
    listClasses(text)
      .filter(name => !known.has(name))
      .map(name => `${file} ${name}`),
  )
  expect(stray).toEqual([])
})

test('where utilities are used there is no style sheet but the one that brings them', async () => {
  const found = await readAll('**/*.css', UTILITIES)
  expect(found.map(({ file }) => file)).toEqual(['mfe-dashboard/src/styles.css'])
  expect(found.flatMap(({ text }) => text.match(/^[^@\n]*[.#:][^\n]*\{/gm) ?? [])).toEqual([])
})

test('what is busy is unseen, not hidden: it keeps its name', async () => {
  const texts = (await readAll('**/*.css', OWN)).map(({ text }) => text)
  const rules = texts.flatMap(text => text.match(/[^{}]*\.is-busy[^{}]*\{[^}]*\}/g) ?? [])
  expect(rules.length).toBeGreaterThan(1)
  expect(rules.filter(rule => /visibility|display: none/.test(rule))).toEqual([])
})

test('every class of a style sheet is used', () => {
  const words = new Set(sources.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []))
  // A state or a kind is put together at run time, and PrimeReact names its own.
  const dead = sheets.flatMap(({ file, classes }) =>
    classes.filter(name => !/^(is|of|p)-/.test(name) && !words.has(name)).map(name => `${file} ${name}`),
  )
  expect(dead).toEqual([])
})

/** What stands whole in a class name; what follows something that is put in is not seen. */
function listClasses(text: string): string[] {
  return [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`$]*))|joinClasses\(\s*'([^']*)'/g)]
    .flatMap(([, plain, template, joined]) => (plain ?? template ?? joined ?? '').split(/\s+/))
    .filter(name => name !== '' && !name.endsWith('-'))
}

async function readAll(pattern: string, folders: readonly string[]) {
  const files: { file: string; text: string }[] = []
  for (const folder of folders)
    for await (const file of new Glob(pattern).scan(path.join(root, folder)))
      files.push({ file: `${folder}/${file}`, text: await Bun.file(path.join(root, folder, file)).text() })
  return files
}
