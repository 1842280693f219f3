// One word for one thing: the list is held to every text that people read.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SAME, WORDS } from './one-word.ts'

const ROOT = join(import.meta.dir, '../..')
const LANGUAGES = ['pt', 'en', 'es'] as const
/** What is typed into a search or a terminal, where other people's words belong. */
const TYPED = /\.words$|^option\./

interface Text {
  readonly place: string
  readonly key: string
  readonly text: string
}

/** A remote of `shell/remotes.json`, as far as it has words. */
interface RemotePages {
  readonly pages: readonly {
    readonly path: string
    readonly label: Readonly<Record<(typeof LANGUAGES)[number], string>>
  }[]
}

describe.each(LANGUAGES)('in %s', language => {
  test('nothing is called by another word than the one of the list', async () => {
    const texts = await readTexts(language)
    expect(texts.length).toBeGreaterThan(1000)
    const wrong = texts
      .filter(({ key }) => !TYPED.test(key))
      .flatMap(({ place, key, text }) =>
        WORDS[language]
          .filter(({ not }) => holds(text.replaceAll(/\{\{\w+\}\}|Typebot/g, ''), not))
          .map(({ say }) => `${place}:${key} “${text}” (say ${say})`),
      )
    expect(wrong).toEqual([])
  })

  test('what names the same thing says the same', async () => {
    const texts = await readTexts(language)
    const find = (name: string) =>
      texts.find(({ place, key }) => `${place}:${key}` === name)?.text.toLowerCase() ?? name
    for (const names of SAME) expect([names, new Set(names.map(find)).size]).toEqual([names, 1])
  })
})

test('neither is it in the sentences of the server', async () => {
  const wrong: string[] = []
  for await (const file of new Bun.Glob('backend/src/insight/reports/{words,conversation-words}.ts').scan(ROOT))
    for (const [text] of (await Bun.file(join(ROOT, file)).text()).matchAll(/'(?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*'/g))
      for (const { not, say } of WORDS.pt)
        if (/[ãõçáéíóú]/.test(text) && holds(text, not)) wrong.push(`${file} ${text} (say ${say})`)
  expect(wrong).toEqual([])
})

/** Whether one of the words stands there as a whole. */
function holds(text: string, words: readonly string[]): boolean {
  return new RegExp(`(?<![\\p{L}_])(?:${words.join('|')})(?![\\p{L}_])`, 'iu').test(text)
}

/** `place` is the folder of the texts without `locales`: `mfe-admin/settings`, `ui`. */
async function readTexts(language: (typeof LANGUAGES)[number]): Promise<Text[]> {
  const texts: Text[] = []
  for await (const file of new Bun.Glob(`{cli,contract,mfe-*,shell,ui}/{locales,texts}/**/${language}.json`).scan(
    ROOT,
  )) {
    const place = file.replace(/\/(locales|texts)/, '').replace(`/${language}.json`, '')
    collect(await Bun.file(join(ROOT, file)).json(), '', (key, text) => texts.push({ place, key, text }))
  }
  const remotes: RemotePages[] = await Bun.file(join(ROOT, 'shell/remotes.json')).json()
  for (const { pages } of remotes)
    for (const { path, label } of pages) texts.push({ place: 'shell', key: path, text: label[language] })
  return texts
}

function collect(tree: Readonly<Record<string, unknown>>, above: string, take: (key: string, text: string) => void) {
  for (const [name, value] of Object.entries(tree)) {
    const key = above + name
    if (typeof value === 'string') take(key, value)
    else if (isTree(value)) collect(value, `${key}.`, take)
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
