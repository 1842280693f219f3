import { describe, expect, test } from 'bun:test'
import type { QuickAnswer } from '@balcao/contract'
import { afterEvent, firstPage, matches, NO_ROWS, nextPage, without } from '../src/quick-answers/list.ts'

function anAnswer(part: Partial<QuickAnswer> & { id: number; shortcut: string }): QuickAnswer {
  return { message: 'Nossa chave Pix é…', mediaUrl: null, mediaType: null, mediaName: null, version: 1, ...part }
}
const page = (answers: QuickAnswer[], nextCursor: string | null = null) => ({
  quickAnswers: answers,
  nextCursor,
  count: answers.length,
})
const shortcuts = (rows: { rows: readonly QuickAnswer[] }) => rows.rows.map(row => row.shortcut)
const update = (quickAnswer: QuickAnswer) =>
  ({ event: 'quickAnswer', action: 'update', version: quickAnswer.version, quickAnswer }) as const

describe('quick answers, live', () => {
  const three = firstPage(
    NO_ROWS,
    '',
    page([anAnswer({ id: 1, shortcut: 'endereço' }), anAnswer({ id: 2, shortcut: 'pix' })]),
  )

  test('a new one stands in its place by shortcut', () => {
    const event = { ...update(anAnswer({ id: 3, shortcut: 'horario' })), action: 'create' as const }
    expect(shortcuts(afterEvent(three, event))).toEqual(['endereço', 'horario', 'pix'])
    expect(afterEvent(three, event).count).toBe(3)
  })

  test('the same event twice, or an older one late, changes nothing', () => {
    const once = afterEvent(three, update(anAnswer({ id: 2, shortcut: 'pix', message: 'Nova chave', version: 3 })))
    expect(afterEvent(once, update(anAnswer({ id: 2, shortcut: 'pix', message: 'Velha', version: 2 })))).toBe(once)
    expect(once.rows[1]?.message).toBe('Nova chave')
  })

  test('a deleted one goes and no late update brings it back', () => {
    const gone = afterEvent(three, { event: 'quickAnswer', action: 'delete', version: 2, quickAnswerId: 1 })
    expect(shortcuts(gone)).toEqual(['pix'])
    expect(shortcuts(afterEvent(gone, update(anAnswer({ id: 1, shortcut: 'endereço', version: 9 }))))).toEqual(['pix'])
    expect(shortcuts(firstPage(gone, '', page([anAnswer({ id: 1, shortcut: 'endereço' })])))).toEqual([])
  })

  test('deleting twice counts once', () => {
    expect(without(without(three, 1), 1).count).toBe(1)
  })

  test('during a search only what it finds is shown', () => {
    const found = firstPage(NO_ROWS, 'chave', page([anAnswer({ id: 2, shortcut: 'pix' })]))
    expect(
      shortcuts(afterEvent(found, update(anAnswer({ id: 5, shortcut: 'prazo', message: 'Dois dias úteis' })))),
    ).toEqual(['pix'])
    expect(
      shortcuts(afterEvent(found, update(anAnswer({ id: 2, shortcut: 'pix', message: 'mudou tudo', version: 2 })))),
    ).toEqual([])
  })

  test('one that belongs on a page not loaded yet waits for its page and is not doubled there', () => {
    const first = firstPage(NO_ROWS, '', page([anAnswer({ id: 1, shortcut: 'a1' })], 'next'))
    const zebra = anAnswer({ id: 9, shortcut: 'zebra' })
    const after = afterEvent(first, update(zebra))
    expect(shortcuts(after)).toEqual(['a1'])
    const all = nextPage(after, page([zebra]))
    expect(shortcuts(nextPage(all, page([zebra])))).toEqual(['a1', 'zebra'])
  })

  test('search ignores accents, case and the slash', () => {
    expect(matches(anAnswer({ id: 1, shortcut: 'Endereço' }), '/ENDERECO')).toBe(true)
  })
})
