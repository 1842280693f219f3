// A sentence stands in one place: what server, pages and terminal say alike is of `contract/texts`.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { STANDING_TWICE } from './said-once.ts'

const ROOT = join(import.meta.dir, '../..')
const SOURCES = '{contract,client,ui,shell,mfe-*,cli,backend}/src/**/*.{ts,tsx}'
const TEXTS = '{contract,ui,shell,mfe-*,cli}/{texts,locales}/**/*.json'
const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

test('no sentence of three words or more stands in two packages, but for those that did', async () => {
  const shared = new Map<string, string[]>()
  for (const [sentence, places] of await readSentences()) {
    const packages = [...new Set(places.map(place => place.split('/')[0]))].sort()
    if (packages.length < 2) continue
    const key = packages.join(' + ')
    shared.set(key, [...(shared.get(key) ?? []), `${sentence} (${[...new Set(places)].join(', ')})`])
  }
  const tooMany = [...shared].filter(([key, sentences]) => sentences.length > (STANDING_TWICE[key] ?? 0))
  expect(tooMany).toEqual([])
})

/** Each sentence with the places where it stands; a place is a file, or a folder of texts. */
async function readSentences(): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>()
  const add = (text: string, place: string) => {
    const sentence = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
    const words = sentence.split(' ').filter(word => /\p{L}{2}/u.test(word))
    if (words.length >= 3 && !isClassList(sentence)) places.set(sentence, [...(places.get(sentence) ?? []), place])
  }
  for await (const file of new Bun.Glob(TEXTS).scan(ROOT)) {
    const place = file.replace(/\/\w+\.json$/, '')
    JSON.parse(await Bun.file(join(ROOT, file)).text(), (_, value: unknown) => {
      if (typeof value === 'string') add(value, place)
      return value
    })
  }
  for await (const file of new Bun.Glob(SOURCES).scan(ROOT)) {
    if (/\.test\.tsx?$/.test(file)) continue
    const code = (await Bun.file(join(ROOT, file)).text()).replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
    for (const [, single, double, template] of code.matchAll(STRING)) add(single ?? double ?? template ?? '', file)
  }
  return places
}

/** `flex items-center gap-1.5`: how something looks, no sentence. */
function isClassList(text: string): boolean {
  const words = text.split(' ')
  return words.every(word => /^[a-z0-9:[\]().,%/_-]+$/.test(word)) && words.some(word => word.includes('-'))
}
