import { describe, expect, test } from 'bun:test'
import { excerptLine, findSearchMarks, foldText, parseSearchWords } from '../src/kit/search.ts'

describe('spec 1 §5: what a search looks for', () => {
  test('is every word of it', () => {
    expect(parseSearchWords('  boleto  de março ')).toEqual(['boleto', 'de', 'março'])
  })

  test('is all of it between quotes, and when every word is short', () => {
    expect(parseSearchWords('"bom dia"')).toEqual(['bom dia'])
    expect(parseSearchWords('oi a')).toEqual(['oi a'])
    expect(parseSearchWords('   ')).toEqual([])
  })

  test('folds accents and capitals', () => {
    expect(foldText('Órgão ÇÃO Straße')).toBe('orgao cao strasse')
  })
})

describe('spec 1 §2: the words found are marked', () => {
  const marked = (text: string, search: string) =>
    findSearchMarks(text, parseSearchWords(search)).map(([from, to]) => text.slice(from, to))

  test('where the text has accents and capitals of its own', () => {
    expect(marked('A Confirmação chegou', 'confirmacao')).toEqual(['Confirmação'])
    expect(marked('Conceição', 'ÇÃO')).toEqual(['ção'])
  })

  test('each of them, once, also where they touch', () => {
    expect(marked('boleto do boleto', 'boleto')).toEqual(['boleto', 'boleto'])
    expect(marked('segunda-feira', 'segunda unda-f')).toEqual(['segunda-f'])
  })

  test('behind letters of two units and letters that fold into two', () => {
    expect(marked('👍🏽 Straße do boleto', 'boleto')).toEqual(['boleto'])
    expect(marked('👍🏽 Straße do boleto', 'strasse')).toEqual(['Straße'])
  })

  test('in the line that holds most of them', () => {
    expect(excerptLine('Bom dia\nsegue o boleto\nsegue o boleto de março', parseSearchWords('marco boleto'))).toBe(
      'segue o boleto de março',
    )
  })

  test('in the middle of a long line', () => {
    const line = excerptLine(`${'palavra '.repeat(60)}boleto ${'depois '.repeat(60)}`, ['boleto'])
    expect(line.length).toBeLessThanOrEqual(162)
    expect(line).toMatch(/^…palavra.*boleto.*…$/)
  })
})
