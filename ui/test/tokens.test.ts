import { describe, expect, test } from 'bun:test'
import path from 'node:path'

const css = await Bun.file(path.join(import.meta.dirname, '../src/kit/theme/tokens.css')).text()
const light = table(css.slice(css.indexOf(':root'), css.indexOf('[data-theme')))
const dark = new Map([...light, ...table(css.slice(css.indexOf('[data-theme')))])

/** Text on its ground, and the least contrast allowed (4.5 for text, 3 for borders and marks). */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ['ink', 'surface', 7],
  ['ink', 'canvas', 7],
  ['ink', 'bubble-out', 7],
  ['ink', 'bubble-in', 7],
  ['ink', 'hover', 7],
  ['ink', 'raised', 7],
  ['text-2', 'canvas', 4.5],
  ['text-2', 'surface', 4.5],
  ['text-2', 'rail', 4.5],
  ['text-2', 'wall', 4.5],
  ['muted', 'surface', 4.5],
  ['muted', 'canvas', 4.5],
  ['muted', 'rail', 4.5],
  ['muted', 'primary-tint', 4.5],
  ['muted', 'sunken', 4.5],
  ['on-primary', 'primary', 4.5],
  ['on-primary', 'primary-hover', 4.5],
  ['on-primary', 'primary-active', 4.5],
  ['primary-text', 'primary-tint', 4.5],
  ['primary-text', 'surface', 4.5],
  ['rail-on', 'rail-active', 4.5],
  ['on-brass', 'brass', 4.5],
  ['brass-text', 'brass-tint', 4.5],
  ['brass-text', 'primary-tint', 4.5],
  ['brass-text', 'surface', 4.5],
  ['ok', 'ok-tint', 4.5],
  ['danger', 'danger-tint', 4.5],
  ['danger', 'surface', 4.5],
  ['on-danger', 'danger', 4.5],
  ['on-alert', 'alert', 4.5],
  ['meta', 'bubble-out', 4.5],
  ['meta', 'bubble-in', 4.5],
  ['tick-read', 'bubble-out', 4.5],
  ['note-text', 'note', 4.5],
  ['ink', 'sand', 7],
  ['sand-time', 'sand', 4.5],
  ['muted', 'hover', 4.5],
  ['danger', 'primary-tint', 4.5],
  ['star', 'surface', 3],
  ['line-strong', 'surface', 3],
  // The track of a bar: how far it may still go, beside the bar itself.
  ['line', 'surface', 1.3],
  ['focus', 'canvas', 3],
  ['focus', 'surface', 3],
  ...Array.from({ length: 8 }, (_, i) => [`on-avatar-${i + 1}`, `avatar-${i + 1}`, 4.5] as const),
  ...Array.from({ length: 6 }, (_, i) => [`chart-${i + 1}`, 'surface', 3] as const),
]

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('contrast in %s', (_, colours) => {
  test.each(PAIRS)('%s on %s is at least %d', (text, ground, least) => {
    expect(contrast(colours.get(text), colours.get(ground))).toBeGreaterThanOrEqual(least)
  })
})

test('the track of every thin bar has the colour that is measured for it', async () => {
  const { Glob } = await import('bun')
  const root = path.join(import.meta.dirname, '../..')
  const found: string[] = []
  for await (const file of new Glob('{mfe-*,ui}/src/**/*.tsx').scan(root)) {
    const text = await Bun.file(path.join(root, file)).text()
    // The bar itself has a width instead.
    for (const [bar] of text.matchAll(/\bh-1\.5\b.*\brounded-full\b[\s\S]{0,80}/g))
      found.push(/\bbg-line\b|\bwidth:/.test(bar) ? file : `${file}: ${bar}`)
  }
  expect(found.filter(each => each.includes(':'))).toEqual([])
  expect(found).toContain('mfe-dashboard/src/charts/Chart.tsx')
})

test('no colour of the page is written outside of the token table, but for what is the same in both themes', async () => {
  const { Glob } = await import('bun')
  const allowed = /#(fff|1c2333|e9ecf2|283042|222a39|2a3345|161b26|17223f|3461bf|c2cce4|000)\b/i
  const stray: string[] = []
  for (const folder of ['../src/kit/parts', '../../shell/src']) {
    for await (const file of new Glob('**/*.css').scan(path.join(import.meta.dirname, folder))) {
      const text = await Bun.file(path.join(import.meta.dirname, folder, file)).text()
      for (const [literal] of text.matchAll(/#[0-9a-f]{3,8}\b/gi))
        if (!allowed.test(literal)) stray.push(`${file} ${literal}`)
    }
  }
  expect(stray).toEqual([])
})

function table(block: string) {
  return new Map(
    [...block.matchAll(/--b-([\w-]+):\s*(#[0-9a-f]{6});/gi)].map(match => [match[1] ?? '', match[2] ?? '']),
  )
}

function contrast(a: string | undefined, b: string | undefined) {
  if (!a || !b) throw new Error('a colour of the pair is missing')
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return Math.round(((high + 0.05) / (low + 0.05)) * 10) / 10
}

function luminance(hex: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
