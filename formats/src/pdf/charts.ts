// Charts, drawn as lines and boxes. Who cannot see them hears their numbers.
import type { Bar, Chart, LineChart } from './document.ts'
import { COLORS, LINES, PAGE, STYLES, toColor, WIDTH } from './looks.ts'
import type { Paper } from './paper.ts'
import { toBoxAttributes } from './tags.ts'

const GAP = 18
const HEIGHT = 76
const SHARE = 15
/** Of the bars of one chart more is left to its table. */
const MOST_SHARES = 12

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Charts beside each other; as high as the highest. */
export function drawCharts(paper: Paper, charts: readonly Chart[]): void {
  const height = Math.max(...charts.map(computeHeight))
  paper.need(height + STYLES.heading.leading + 14)
  const whole = charts.reduce((sum, { weight = 1 }) => sum + weight, 0)
  const free = WIDTH - GAP * (charts.length - 1)
  const top = paper.y
  const heading = paper.tags.heading(3)
  let x: number = PAGE.left
  for (const chart of charts) {
    const width = (free * (chart.weight ?? 1)) / whole
    const at = x
    paper.tags.leaf(heading, () => paper.writeText(chart.title, STYLES.heading, at, top, { width }))
    const box = { x, y: top + STYLES.heading.leading + 6, width }
    const attributes = toBoxAttributes(box.x, box.y, width, height)
    paper.tags.leaf('Figure', () => draw(paper, chart, box), { alt: describeChart(chart), attributes })
    x += width + GAP
  }
  paper.y = top + STYLES.heading.leading + 6 + height + 14
}

function computeHeight(chart: Chart): number {
  if (chart.chart === 'shares') return Math.max(1, Math.min(chart.bars.length, MOST_SHARES)) * SHARE
  return chart.chart === 'lines' ? HEIGHT + 26 : HEIGHT + 12
}

function draw(paper: Paper, chart: Chart, box: Box): void {
  const isEmpty = chart.chart === 'lines' ? chart.labels.length === 0 : chart.bars.length === 0
  if (isEmpty) paper.writeText('—', STYLES.quiet, box.x, box.y)
  else if (chart.chart === 'lines') drawLines(paper, chart, box)
  else if (chart.chart === 'bars') drawBars(paper, chart.bars, box)
  else drawShares(paper, chart.bars.slice(0, MOST_SHARES), box)
}

/** 'Por dia: 01: 9; 02: 12' */
export function describeChart(chart: Chart): string {
  const describe = (label: string, value: number | string | null) => `${label}: ${value ?? '—'}`
  if (chart.chart !== 'lines')
    return `${chart.title}: ${chart.bars.map(({ label, value, text }) => describe(label, text ?? value)).join('; ')}`
  const lines = chart.lines.map(
    ({ name, values }) =>
      `${name} (${chart.labels.map((label, at) => describe(label, values[at] ?? null)).join('; ')})`,
  )
  return `${chart.title}: ${lines.join('. ')}`
}

function drawBars(paper: Paper, bars: readonly Bar[], { x, y, width }: Box): void {
  const { doc } = paper
  const base = y + HEIGHT
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const slot = width / Math.max(1, bars.length)
  const thick = Math.min(26, slot * 0.7)
  const labelled = computeLabelStep(
    paper,
    bars.map(({ label }) => label),
    slot,
  )
  const valued = computeLabelStep(paper, bars.map(formatBarValue), slot) === 1
  for (const [at, bar] of bars.entries()) {
    const middle = x + slot * (at + 0.5)
    const high = (Math.max(0, bar.value) / most) * (HEIGHT - 12)
    const isPeak = bar.value === most && bar.value > 0
    if (high > 0) doc.rect(middle - thick / 2, base - high, thick, high).fill(isPeak ? COLORS.primary : COLORS.bar)
    if (bar.value > 0 && (valued || isPeak))
      centred(paper, formatBarValue(bar), middle, base - high - STYLES.small.leading)
    if (at % labelled === 0) centred(paper, bar.label, middle, base + 3)
  }
  doc
    .moveTo(x, base)
    .lineTo(x + width, base)
    .lineWidth(0.7)
    .stroke(COLORS.none)
}

function drawShares(paper: Paper, bars: readonly Bar[], { x, y, width }: Box): void {
  const { doc } = paper
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const hasDots = bars.some(({ color }) => color !== undefined)
  const from = x + (hasDots ? 9 : 0)
  const wide = Math.min(width * 0.42, Math.max(...bars.map(bar => paper.widthOf(bar.label, STYLES.cell)))) + 2
  const values = Math.max(...bars.map(bar => paper.widthOf(formatBarValue(bar), STYLES.strong)))
  const track = { x: from + wide + 6, width: Math.max(10, x + width - values - 8 - (from + wide + 6)) }
  for (const [at, bar] of bars.entries()) {
    const top = y + at * SHARE
    const middle = top + STYLES.cell.leading / 2
    if (bar.color !== undefined) paper.dot(x, middle, bar.color)
    paper.writeText(bar.label, STYLES.cell, from, top, { width: wide })
    doc.roundedRect(track.x, middle - 2.2, track.width, 4.4, 2.2).fill(COLORS.sunken)
    const long = (Math.max(0, bar.value) / most) * track.width
    if (long > 0)
      doc
        .roundedRect(track.x, middle - 2.2, Math.max(1, long), 4.4, Math.min(2.2, long / 2))
        .fill(bar.color === undefined ? COLORS.bar : toColor(bar.color))
    paper.writeText(formatBarValue(bar), STYLES.strong, x, top, { right: x + width })
  }
}

function drawLines(paper: Paper, { labels, lines }: LineChart, { x, y, width }: Box): void {
  const { doc } = paper
  const base = y + HEIGHT
  const most = Math.max(1, ...lines.flatMap(({ values }) => values.map(value => value ?? 0)))
  const slot = width / Math.max(1, labels.length)
  const labelled = computeLabelStep(paper, labels, slot)
  for (const part of [0.5, 1]) {
    const at = base - part * (HEIGHT - 12)
    doc
      .moveTo(x, at)
      .lineTo(x + width, at)
      .lineWidth(0.5)
      .stroke(COLORS.line)
    paper.writeText(String(Math.round(most * part * 10) / 10), STYLES.small, x, at - STYLES.small.leading)
  }
  doc
    .moveTo(x, base)
    .lineTo(x + width, base)
    .lineWidth(0.7)
    .stroke(COLORS.none)
  let legend = x
  for (const [at, { name, values }] of lines.entries()) {
    const { color, dash } = LINES[at % LINES.length] ?? LINES[0]
    doc.save().lineWidth(1.3).lineJoin('round')
    if (dash) doc.dash(dash[0] ?? 2, { space: dash[1] ?? 2 })
    let isOpen = false
    for (const [point, value] of values.entries()) {
      const place = [x + slot * (point + 0.5), base - (Math.max(0, value ?? 0) / most) * (HEIGHT - 12)] as const
      if (value !== null) isOpen ? doc.lineTo(...place) : doc.moveTo(...place)
      isOpen = value !== null
    }
    doc.stroke(color)
    const middle = base + 19
    doc
      .moveTo(legend, middle)
      .lineTo(legend + 14, middle)
      .stroke(color)
      .restore()
    paper.writeText(name, STYLES.small, legend + 18, middle - STYLES.small.leading / 2, { width: 120 })
    legend += 32 + paper.widthOf(name, STYLES.small)
  }
  for (const [at, label] of labels.entries())
    if (at % labelled === 0) centred(paper, label, x + slot * (at + 0.5), base + 3)
}

function formatBarValue({ value, text }: Bar): string {
  return text ?? String(value)
}

function centred(paper: Paper, text: string, middle: number, y: number): void {
  paper.writeText(text, STYLES.small, middle - paper.widthOf(text, STYLES.small) / 2, y)
}

/** Every which of these there is room for. */
function computeLabelStep(paper: Paper, texts: readonly string[], slot: number): number {
  const widest = Math.max(0, ...texts.map(text => paper.widthOf(text, STYLES.small)))
  return Math.max(1, Math.ceil((widest + 2) / slot))
}
