import { describe, expect, test } from 'bun:test'
import { findByName, sortByMatch } from '../src/kit/name-match.ts'
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

describe('of who is meant by the letters of a name', () => {
  const read = (name: string) => name

  test('the first is called so, then come names that begin with them, names with words that do, and the others', () => {
    const names = ['Adriana', 'Mariana', 'Rita Ana', 'Anabela', 'Ána Lima']
    expect(sortByMatch(names, ' ANA', read)).toEqual(['Ána Lima', 'Anabela', 'Rita Ana', 'Adriana', 'Mariana'])
    expect(findByName(['Bruna', ...names], 'bel', read)).toEqual(['Anabela'])
  })

  test('several words are beginnings in any order', () => {
    expect(sortByMatch(['Adriana Lima', 'Ana Lima'], 'lim ana', read)).toEqual(['Ana Lima', 'Adriana Lima'])
  })

  test('without letters nobody is before another, and of nobody nothing is made', () => {
    expect(findByName(['Zé', '', 'Ana'], ' ', read)).toEqual(['Zé', '', 'Ana'])
    const none: readonly string[] = []
    expect(sortByMatch(none, 'ana', read)).toBe(none)
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
