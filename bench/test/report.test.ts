import { describe, expect, test } from 'bun:test'
import { type Figure, isMet, ratioOf } from '../src/benchmark.ts'
import { percentile } from '../src/measure.ts'
import { table } from '../src/report.ts'

const figure: Figure = {
  what: 'first page: p95',
  value: 9,
  unit: 'ms',
  reference: { what: 'at 10,000', value: 4 },
  aim: 10,
}

describe('a figure', () => {
  test('is shown with its reference, their ratio, the aim and whether it is met', () => {
    const lines = table([figure], true).split('\n')
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
    const { aim: _, ...told } = figure
    expect(isMet(told)).toBeNull()
    expect(ratioOf({ ...told, reference: { what: 'nothing', value: 0 } })).toBeNull()
  })
})

describe('a percentile', () => {
  test('is the value of the nearest rank', () => {
    const samples = Array.from({ length: 100 }, (_, n) => 100 - n)
    expect(percentile(samples, 0.5)).toBe(50)
    expect(percentile(samples, 0.99)).toBe(99)
    expect(percentile(samples, 1)).toBe(100)
    expect(percentile([], 0.5)).toBeNaN()
  })
})
