// What the letters in the field of the search may mean besides words.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useSnapshot } from 'valtio'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/search/pt.json'
import { PeriodField } from '../src/search/PeriodField.tsx'
import { readPeriod, toMessageQuery } from '../src/search/search-request.ts'
import { ask, NOTHING, type SearchRequest, search } from '../src/search/search-store.ts'
import { listSuggestions } from '../src/search/suggestions.ts'

const ZONE = 'America/Sao_Paulo'
const people = [
  { id: 7, name: 'Marina Lopes' },
  { id: 8, name: 'Rafael' },
]

function t(key: string, params: Record<string, string> = {}): string {
  const found = key.split('.').reduce<unknown>((texts, name) => (texts as Record<string, unknown>)[name], pt)
  return String(found).replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '')
}

const suggest = (text: string, more: Partial<SearchRequest> = {}) =>
  listSuggestions({ ...NOTHING, text, ...more }, { t, timezone: ZONE, people })
const labels = (text: string, more?: Partial<SearchRequest>) => suggest(text, more).map(each => each.label)

describe('the letters typed so far', () => {
  test('are completed to a period, a kind, an author or a status', () => {
    expect(labels('boleto sema')).toEqual(['semana passada'])
    expect(labels('boleto fot')).toEqual(['Fotos'])
    expect(labels('boleto de mar')).toEqual(['De Marina'])
    expect(labels('marina')).toEqual(['De Marina'])
    expect(labels('boleto pausa')).toEqual(['Pausadas'])
    expect(labels('boleto em outubro')).toEqual(['em outubro'])
    expect(labels('boleto 12/10')).toEqual(['12/10'])
  })

  test('stay words where they are no beginning of anything, or too few', () => {
    for (const text of ['boleto', 'fo', 'de ma', 'xyz']) expect(labels(text)).toEqual([])
  })

  test('go when their meaning is picked, and what is chosen is not offered again', () => {
    const [photos] = suggest('boleto fotos')
    expect(photos?.change).toMatchObject({ text: 'boleto', kind: 'photo' })
    const [marina] = suggest('boleto de marina')
    expect(marina?.change).toMatchObject({ text: 'boleto', author: { id: 7 } })
    expect(labels('fot', { kind: 'audio' })).toEqual([])
  })

  test('an empty field offers what is usual', () => {
    expect(labels('')).toEqual(['ontem', 'semana passada', 'mês passado', 'Fotos', 'Áudios', 'Documentos'])
  })
})

describe('a period at the end of the text', () => {
  const read = (text: string, more: Partial<SearchRequest> = {}) => {
    const { text: rest, period } = readPeriod({ ...NOTHING, text, ...more }, ZONE)
    return [rest, period?.words ?? null]
  }

  test('narrows by itself where nobody means its words', () => {
    expect(read('boleto mês passado')).toEqual(['boleto', 'mês passado'])
    expect(read('boleto na semana passada')).toEqual(['boleto', 'na semana passada'])
    expect(read('mes pasado')).toEqual(['', 'mes pasado'])
    expect(read('invoice last month')).toEqual(['invoice', 'last month'])
  })

  test('is only offered where it may be a word, and left alone where words are wanted', () => {
    for (const text of ['ontem', 'pedido 12/10', 'vence segunda', 'boleto outubro', '"mês passado"'])
      expect(read(text)).toEqual([text, null])
    expect(read('boleto mês passado', { plain: 'mês passado' })).toEqual(['boleto mês passado', null])
  })

  test('is asked for by its days', () => {
    const request = readPeriod({ ...NOTHING, text: 'boleto mês passado', kind: 'photo' }, ZONE)
    expect(toMessageQuery(request)).toMatchObject({
      searchParam: 'boleto',
      kind: 'photo',
      firstDate: expect.any(String),
    })
  })

  test('is left alone as long as it stands there, and read again in what is written next', () => {
    ask({ ...NOTHING, text: 'boleto mês  passado' })
    ask({ plain: 'mês passado' })
    ask({ kind: 'photo' })
    expect(readPeriod(search.asked, ZONE).period).toBeNull()
    for (const text of ['', 'nota mês passado']) ask({ text })
    expect(readPeriod(search.asked, ZONE)).toMatchObject({ text: 'nota', period: { words: 'mês passado' } })
  })
})

function Shown() {
  return createElement(PeriodField, { request: { ...NOTHING, period: useSnapshot(search).asked.period } })
}

describe('the field of the period', () => {
  addTexts('tickets', { pt, en, es })
  let root: Root
  const field = () => document.querySelector('input')
  const write = (text: string) =>
    act(async () => {
      const input = field()
      if (!input) throw new Error('no field')
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  beforeEach(() => {
    ask(NOTHING)
    root = createRoot(document.body.appendChild(document.createElement('div')))
    act(() => root.render(createElement(Shown)))
  })
  afterEach(() => {
    act(() => root.unmount())
    document.body.replaceChildren()
  })

  test('is empty once its period is dropped beside it', async () => {
    await write('ontem')
    expect([field()?.value, search.asked.period?.words]).toEqual(['ontem', 'ontem'])
    await act(async () => ask({ period: null }))
    expect(field()?.value).toBe('')
  })

  test('keeps what is no period until one is chosen in its place', async () => {
    await write('quando puder')
    expect([field()?.value, search.asked.period]).toEqual(['quando puder', null])
    await write('ontem')
    await act(async () => ask({ period: null }))
    expect(field()?.value).toBe('')
  })
})
