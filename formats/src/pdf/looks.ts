// Colours and sizes of documents, as `look-2` draws them: A4, points of 1/72 inch.
import type { TextStyle } from './lines.ts'

export const PAGE = { width: 595.28, height: 841.89, left: 36, right: 559.28, top: 36, bottom: 790, foot: 804 } as const
export const WIDTH = PAGE.right - PAGE.left

export const COLORS = {
  ink: '#1c2333',
  text: '#4a5263',
  muted: '#636a79',
  line: '#e3dfd7',
  sunken: '#edeae4',
  primary: '#2c53a4',
  bar: '#7794d4',
  brass: '#f0b23a',
  ours: '#e6edfb',
  theirs: '#f3f1ec',
  none: '#8f8a7f',
} as const
/** A colour that somebody chose; grey for what is none. */
export function toColor(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : COLORS.none
}

/** Lines of a chart: they differ in their dashes too. */
export const LINES = [
  { color: '#2c53a4', dash: null },
  { color: '#d0702f', dash: [4, 2] },
  { color: '#2e9e6b', dash: [1.5, 1.5] },
  { color: '#7c5cc9', dash: [6, 2, 1.5, 2] },
] as const

const { ink, text, muted } = COLORS
export const STYLES = {
  title: { size: 15.5, leading: 20, weight: 'heavy', color: ink },
  company: { size: 9.8, leading: 13, weight: 'heavy', color: ink },
  heading: { size: 9.2, leading: 13, weight: 'strong', color: ink },
  aside: { size: 9.2, leading: 13, weight: 'plain', color: muted },
  body: { size: 7.8, leading: 11.4, weight: 'plain', color: ink },
  quiet: { size: 7.6, leading: 11.4, weight: 'plain', color: muted },
  figure: { size: 12.6, leading: 16, weight: 'heavy', color: ink },
  small: { size: 6.9, leading: 9.2, weight: 'plain', color: muted },
  head: { size: 7, leading: 9.4, weight: 'strong', color: text },
  cell: { size: 7.3, leading: 9.9, weight: 'plain', color: ink },
  strong: { size: 7.3, leading: 9.9, weight: 'strong', color: ink },
  under: { size: 6.8, leading: 9.6, weight: 'plain', color: muted },
  said: { size: 8, leading: 11.2, weight: 'plain', color: ink },
  label: { size: 8, leading: 11.2, weight: 'strong', color: ink },
} as const satisfies Record<string, TextStyle>
