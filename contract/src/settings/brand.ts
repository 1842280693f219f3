// The colours that follow from a company's own primary colour, for light and dark. Pure, so that the server can refuse what nobody could read.

/** Names as in the table of colours, without `--b-`. */
export type BrandToken =
  | 'primary'
  | 'primary-hover'
  | 'primary-active'
  | 'on-primary'
  | 'primary-text'
  | 'primary-tint'
  | 'rail-on'
  | 'rail-active'
  | 'bubble-out'
  | 'focus'
export type BrandTokens = Readonly<Record<BrandToken, string>>

export interface Brand {
  readonly light: BrandTokens
  readonly dark: BrandTokens
}

type Rgb = readonly [number, number, number]
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** Surfaces and texts of the two themes these colours have to stand beside. */
const LIGHT = { ground: '#f5f3ef', ink: '#1c2333', meta: '#5a6272', muted: '#636a79' }
const DARK = { ground: '#1e2533', ink: '#e9ecf2', meta: '#aab5cb', muted: '#97a1b4', surface: '#161b26' }
const TEXT = 4.5

/**
 * The colours for a primary colour such as `#2c53a4`, or what is wrong with it. The light theme takes it as it is; the dark
 * one takes it mixed with white until it can be read there.
 */
export function createBrand(color: string): Brand | { readonly problem: string } {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return { problem: 'must be a colour such as #2c53a4' }
  const rgb = parseHexColor(color)
  const light = createLightTokens(rgb)
  const onWhite = computeContrast('#ffffff', light.primary)
  if (onWhite < TEXT)
    return {
      problem: `${color} is too light: white text on it has a contrast of ${onWhite.toFixed(1)}, ${TEXT} is needed`,
    }
  const dark = createDarkTokens(rgb)
  const unreadable = [...listColorPairs(light, LIGHT), ...listColorPairs(dark, DARK)].find(
    ([text, ground]) => computeContrast(text, ground) < TEXT,
  )
  if (unreadable)
    return { problem: `${color} leaves ${unreadable[0]} on ${unreadable[1]} too hard to read; take a darker one` }
  return { light, dark }
}

/** How well two colours can be told apart, from 1 to 21 (WCAG). */
export function computeContrast(one: string, other: string): number {
  const [high = 0, low = 0] = [computeLuminance(parseHexColor(one)), computeLuminance(parseHexColor(other))].sort(
    (a, b) => b - a,
  )
  return (high + 0.05) / (low + 0.05)
}

function createLightTokens(color: Rgb): BrandTokens {
  const tint = ensureReadable(mixColors(color, WHITE, 0.9), parseHexColor(LIGHT.muted), WHITE)
  return toHexTokens({
    primary: color,
    'primary-hover': mixColors(color, BLACK, 0.15),
    'primary-active': mixColors(color, BLACK, 0.3),
    'on-primary': WHITE,
    'primary-text': ensureReadable(mixColors(color, BLACK, 0.08), tint, BLACK),
    'primary-tint': tint,
    'rail-on': mixColors(color, BLACK, 0.08),
    'rail-active': WHITE,
    'bubble-out': ensureReadable(mixColors(color, WHITE, 0.86), parseHexColor(LIGHT.meta), WHITE),
    focus: color,
  })
}

function createDarkTokens(color: Rgb): BrandTokens {
  const tint = ensureReadable(mixColors(color, parseHexColor(DARK.surface), 0.72), parseHexColor(DARK.muted), BLACK)
  const primary = ensureReadable(mixColors(color, WHITE, 0.4), parseHexColor(DARK.ground), WHITE, 6)
  return toHexTokens({
    primary,
    'primary-hover': mixColors(primary, WHITE, 0.2),
    'primary-active': mixColors(primary, WHITE, 0.38),
    'on-primary': ensureReadable(mixColors(color, BLACK, 0.6), primary, BLACK),
    'primary-text': ensureReadable(mixColors(primary, WHITE, 0.15), tint, WHITE, 6),
    'primary-tint': tint,
    'rail-on': ensureReadable(mixColors(primary, WHITE, 0.4), tint, WHITE, 6),
    'rail-active': tint,
    'bubble-out': ensureReadable(mixColors(color, parseHexColor(DARK.surface), 0.6), parseHexColor(DARK.meta), BLACK),
    focus: primary,
  })
}

/** Text and ground that meet on the screen. */
function listColorPairs(set: BrandTokens, theme: typeof LIGHT): [string, string][] {
  return [
    [set['on-primary'], set.primary],
    [set['on-primary'], set['primary-hover']],
    [set['primary-text'], theme.ground],
    [set['primary-text'], set['primary-tint']],
    [set['rail-on'], set['rail-active']],
    [theme.ink, set['bubble-out']],
    [theme.meta, set['bubble-out']],
    [theme.muted, set['primary-tint']],
  ]
}

/** Mixes towards an end until a text can be read on its ground. */
function ensureReadable(color: Rgb, ground: Rgb, end: Rgb, least = TEXT): Rgb {
  for (let part = 0; part < 1; part += 0.05) {
    const tried = mixColors(color, end, part)
    if (computeContrast(toHexColor(tried), toHexColor(ground)) >= least) return tried
  }
  return end
}

function toHexTokens(set: Record<BrandToken, Rgb>): BrandTokens {
  const entries = Object.entries(set).map(([name, color]) => [name, toHexColor(color)])
  return Object.fromEntries(entries)
}

/** `part` 0 is the first colour, 1 the second. */
function mixColors(one: Rgb, other: Rgb, part: number): Rgb {
  const channel = (at: 0 | 1 | 2) => Math.round(one[at] + (other[at] - one[at]) * part)
  return [channel(0), channel(1), channel(2)]
}

function parseHexColor(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

function toHexColor(color: Rgb): string {
  return `#${color.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

function computeLuminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color
    .map(channel => channel / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
