import { describe, expect, test } from 'bun:test'
import { computeRatio, type Figure, isMet } from '../src/benchmark.ts'
import { computePercentile } from '../src/measure.ts'
import { renderReleaseSection, replaceSection } from '../src/release.ts'
import { renderTable } from '../src/report.ts'

const figure: Figure = {
  label: 'first page: p95',
  value: 9,
  unit: 'ms',
  reference: { label: 'at 10,000', value: 4 },
  aim: 10,
}

describe('a figure', () => {
  test('is shown with its reference, their ratio, the aim and whether it is met', () => {
    const lines = renderTable([figure], true).split('\n')
    expect(lines[2]).toContain('9 ms')
    expect(lines[2]).toContain('at 10,000: 4 ms')
    expect(lines[2]).toContain('2.25 ×')
    expect(lines[2]).toMatch(/≤ 10 ms\s+\| yes/)
  })

  test('misses when its value or its ratio is beyond the aim', () => {
    expect(isMet(figure)).toBe(true)
    expect(isMet({ ...figure, value: 11 })).toBe(false)
    expect(isMet({ ...figure, ratioAim: 1.5 })).toBe(false)
    expect(isMet({ ...figure, value: 900, aim: 800, atLeast: true })).toBe(true)
    expect(isMet({ ...figure, value: 700, aim: 800, atLeast: true })).toBe(false)
  })

  test('without an aim is only told', () => {
    const { aim: _, ...rest } = figure
    expect(isMet(rest)).toBeNull()
    expect(computeRatio({ ...rest, reference: { label: 'nothing', value: 0 } })).toBeNull()
  })
})

describe('the figures of a release', () => {
  const machine = { cores: 2 } as never
  const report = {
    machine,
    results: [
      { name: 'lists', figures: [figure] },
      { name: 'chaos', figures: [], error: 'Not within 60 s' },
    ],
  }
  const section = renderReleaseSection('8.0.0', report, ['soak'])

  test('tell each figure, what failed and what was not run', () => {
    expect(section).toContain('### Version 8.0.0')
    expect(section).toMatch(/#### lists\n\n\| figure .*\n.*\n\| first page: p95 \| 9 ms/)
    expect(section).toContain('#### chaos\n\nIt failed: Not within 60 s')
    expect(section).toContain('Not run: soak.')
  })

  test('take the place of the last ones, and nothing else of the page', () => {
    const page = 'before\n<!-- figures of the release: begin -->\nold\n<!-- figures of the release: end -->\nafter\n'
    const first = replaceSection(page, section)
    expect(first).not.toContain('old')
    expect(first.startsWith('before\n') && first.endsWith('\nafter\n')).toBe(true)
    expect(replaceSection(first, section)).toBe(first)
    expect(() => replaceSection('a page', section)).toThrow(/no place/)
  })
})

describe('a percentile', () => {
  test('is the value of the nearest rank', () => {
    const samples = Array.from({ length: 100 }, (_, n) => 100 - n)
    expect(computePercentile(samples, 0.5)).toBe(50)
    expect(computePercentile(samples, 0.99)).toBe(99)
    expect(computePercentile(samples, 1)).toBe(100)
    expect(computePercentile([], 0.5)).toBeNaN()
  })
})
