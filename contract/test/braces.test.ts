import { describe, expect, test } from 'bun:test'
import { fillBraces } from '../src/kit/braces.ts'
import { isComment, stripCommentPrefix } from '../src/messages/comments.ts'

describe('spec 1 §5: composer shortcuts', () => {
  test('words in double braces are filled in, other braces stay', () => {
    const values = { name: 'Lúcia', queue: '' }
    expect(fillBraces('Oi, {{name}}! {{ name }} {{queue}} {{outra}} {name}', values)).toBe(
      'Oi, Lúcia! Lúcia  {{outra}} {name}',
    )
  })

  test('what every object inherits is no word', () => {
    for (const word of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'])
      expect(fillBraces(`{{${word}}}`, { name: 'Lúcia' })).toBe(`{{${word}}}`)
  })

  test('two dashes in front make an internal comment, wherever space stands', () => {
    expect(['--a', '  -- a', '\n--', '--'].map(isComment)).toEqual([true, true, true, true])
    expect(['-a', 'a -- b', '', '- -a'].map(isComment)).toEqual([false, false, false, false])
    expect(['--a', ' -- a', '--  a', 'a -- b'].map(stripCommentPrefix)).toEqual(['a', 'a', ' a', 'a -- b'])
  })
})
