import { describe, expect, test } from 'bun:test'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'

/** Every leaf with its path and the names it fills in. */
function leaves(tree: object, path = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? leaves(value, `${path}${key}.`)
      : [`${path}${key} ${[...new Set(String(value).match(/{{\w+}}|<\w+>/g))].sort().join(' ')}`],
  )
}

describe('the texts', () => {
  test('are complete in the three languages, with the same values to fill in', () => {
    expect(leaves(en)).toEqual(leaves(pt))
    expect(leaves(es)).toEqual(leaves(pt))
  })

  test('are never empty', () => {
    for (const texts of [pt, en, es]) expect(JSON.stringify(texts)).not.toContain('""')
  })
})
