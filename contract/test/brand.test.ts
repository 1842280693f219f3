import { describe, expect, test } from 'bun:test'
import { computeContrast, createBrand } from '../src/settings/brand.ts'

const GROUNDS = { light: '#f5f3ef', dark: '#1e2533' }

describe.each(['#2c53a4', '#0b6e4f', '#8a1c4a', '#000000', '#b03a2e', '#6a1b9a', '#00558c', '#7a5c00'])('%s', color => {
  const brand = createBrand(color)
  if ('problem' in brand) throw new Error(brand.problem)

  test.each(['light', 'dark'] as const)('can be read in %s', theme => {
    const set = brand[theme]
    expect(computeContrast(set['on-primary'], set.primary)).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(set['on-primary'], set['primary-active'])).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(set['primary-text'], GROUNDS[theme])).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(set['primary-text'], set['primary-tint'])).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(set.focus, GROUNDS[theme])).toBeGreaterThanOrEqual(3)
  })
})

test('the light theme takes the colour as it is', () => {
  expect(createBrand('#0b6e4f')).toMatchObject({ light: { primary: '#0b6e4f' } })
})

test.each(['#ffd400', '#25d366', '#ffffff', '#8fb2f7'])('%s is refused: white text on it cannot be read', color => {
  expect(createBrand(color)).toMatchObject({ problem: expect.stringContaining('is too light') })
})

test.each(['blue', '#12345', '2c53a4', '#2c53a4;}', ''])('%j is no colour', color => {
  expect(createBrand(color)).toMatchObject({ problem: expect.stringContaining('must be a colour') })
})
