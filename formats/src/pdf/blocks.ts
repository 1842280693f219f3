// Each kind of block as it stands on paper.

import { drawBubble } from './bubbles.ts'
import { drawCharts } from './charts.ts'
import type { BubblePart, DocumentHead, Fact, Words } from './document.ts'
import { cleanText } from './lines.ts'
import { COLORS, PAGE, STYLES, WIDTH } from './looks.ts'
import type { Paper } from './paper.ts'
import type { Picture } from './pictures.ts'
import type { BlockFrame } from './wire.ts'

/** Whose document it is, what, and of what. */
export function drawHead(paper: Paper, { company, title, made, filters }: DocumentHead): void {
  const { doc, tags } = paper
  tags.furniture(() => drawLogo(paper))
  const from = PAGE.left + 34.5
  tags.leaf('P', () => {
    paper.writeText(company.name, STYLES.company, from, paper.y, { width: WIDTH * 0.55 })
    paper.writeText(company.line ?? '', STYLES.quiet, from, paper.y + 13, { width: WIDTH * 0.55 })
  })
  tags.leaf('P', () => {
    for (const [at, text] of made.slice(0, 3).entries())
      paper.writeText(text, STYLES.quiet, from, paper.y + 1 + at * 11.4, { right: PAGE.right, width: WIDTH * 0.4 })
  })
  paper.y += 36
  tags.furniture(() => doc.moveTo(PAGE.left, paper.y).lineTo(PAGE.right, paper.y).lineWidth(0.8).stroke(COLORS.ink))
  paper.y += 13
  write(paper, tags.heading(1), title, STYLES.title, 2)
  paper.y += 4
  drawFacts(paper, filters)
  paper.y += 10
}

export function drawBlock(
  paper: Paper,
  block: Exclude<BlockFrame, { kind: 'table' }>,
  pictures: ReadonlyMap<BubblePart, Picture>,
): void {
  switch (block.kind) {
    case 'heading':
      drawHeading(paper, block.text, block.aside)
      break
    case 'paragraph':
      write(paper, 'P', block.text, block.quiet ? STYLES.quiet : STYLES.body)
      paper.y += 6
      break
    case 'figures':
      drawFigures(paper, block.figures)
      break
    case 'facts':
      drawFacts(paper, block.facts)
      paper.y += 6
      break
    case 'charts':
      if (block.charts.length > 0) drawCharts(paper, block.charts)
      break
    case 'day':
      drawDay(paper, block.text)
      break
    case 'line':
      drawLine(paper, block.text)
      break
    case 'message':
      drawBubble(paper, block, pictures)
  }
}

/** Words from one margin to the other, on as many pages as they take. */
function write(
  paper: Paper,
  type: string,
  words: Words,
  style: (typeof STYLES)[keyof typeof STYLES],
  most?: number,
): void {
  const lines = paper.lines(words, style, WIDTH, most)
  const element = paper.tags.open(type)
  for (let at = 0; at < lines.length; ) {
    paper.need(style.leading)
    const some = lines.slice(at, at + Math.max(1, Math.floor(paper.room / style.leading)))
    paper.tags.mark(element, type, () => {
      paper.y = paper.write(some, style, PAGE.left, paper.y)
    })
    at += some.length
  }
  element.end()
}

/** It does not stand alone at the foot of a page. */
function drawHeading(paper: Paper, text: string, aside?: string): void {
  const { heading } = STYLES
  paper.need(heading.leading + 90)
  if (paper.y > PAGE.top) paper.y += 4
  const [line] = paper.lines(text, heading, WIDTH, 1)
  paper.tags.leaf(paper.tags.heading(2), () => {
    if (line) paper.write([line], heading, PAGE.left, paper.y)
    if (aside === undefined) return
    const from = PAGE.left + (line?.width ?? 0)
    paper.writeText(` · ${aside}`, STYLES.aside, from, paper.y, { width: PAGE.right - from })
  })
  paper.y += heading.leading + 7
}

const MOST_IN_ROW = 6

/** A few figures in a frame, at most six in a row; rows are as long as can be alike. */
function drawFigures(paper: Paper, figures: readonly Fact[]): void {
  const { doc, tags } = paper
  const height = 42
  const inRow = Math.ceil(figures.length / Math.ceil(figures.length / MOST_IN_ROW))
  for (let at = 0; at < figures.length; at += inRow) {
    const some = figures.slice(at, at + inRow)
    paper.need(height)
    const top = paper.y
    const width = WIDTH / some.length
    tags.furniture(() => {
      doc.roundedRect(PAGE.left, top, WIDTH, height, 6).lineWidth(0.7).stroke('#d8d3c9')
      for (let line = 1; line < some.length; line++) {
        const x = PAGE.left + line * width
        doc
          .moveTo(x, top)
          .lineTo(x, top + height)
          .lineWidth(0.7)
          .stroke(COLORS.line)
      }
    })
    for (const [place, { label, value }] of some.entries()) {
      const x = PAGE.left + place * width + 10
      tags.leaf('P', () => {
        paper.writeText(value, STYLES.figure, x, top + 7, { width: width - 14 })
        paper.writeText(label, STYLES.small, x, top + 25, { width: width - 14 })
      })
    }
    paper.y += height + 6
  }
  paper.y += 8
}

/** 'Período **01/11 a 24/11**   Fila **todas**', in as many lines as they take. */
function drawFacts(paper: Paper, facts: readonly Fact[]): void {
  const style = STYLES.quiet
  let x: number = PAGE.left
  let bottom = paper.y + style.leading
  for (const { label, value } of facts) {
    const words = [{ text: `${cleanText(label, 200)} ` }, { text: cleanText(value, 1000), strong: true }]
    const [line, ...more] = paper.lines(words, style, WIDTH)
    const isLong = more.length > 0
    if (x > PAGE.left && (isLong || x + (line?.width ?? 0) > PAGE.right)) {
      x = PAGE.left
      paper.y = bottom
      bottom += style.leading
    }
    if (isLong) {
      write(paper, 'P', words, style)
      bottom = paper.y + style.leading
      continue
    }
    paper.need(style.leading)
    if (paper.y + style.leading > bottom || paper.y === PAGE.top) bottom = paper.y + style.leading
    const at = x
    if (line) paper.tags.leaf('P', () => void paper.write([line], style, at, paper.y))
    x += (line?.width ?? 0) + 16
  }
  if (x > PAGE.left) paper.y = bottom
}

function drawDay(paper: Paper, text: string): void {
  const [line] = paper.lines(text, STYLES.head, WIDTH / 2, 1)
  if (!line) return
  paper.need(90)
  paper.y += 6
  const width = line.width + 16
  const x = PAGE.left + (WIDTH - width) / 2
  paper.tags.furniture(() => paper.doc.roundedRect(x, paper.y, width, 14, 7).fill(COLORS.sunken))
  paper.tags.leaf(paper.tags.heading(3), () => void paper.write([line], STYLES.head, x + 8, paper.y + 2.3))
  paper.y += 21
}

function drawLine(paper: Paper, text: string): void {
  const lines = paper.lines(text, STYLES.small, WIDTH * 0.7, 6)
  paper.need(lines.length * STYLES.small.leading + 8)
  paper.y += 2
  paper.tags.leaf('P', () => {
    for (const line of lines) {
      paper.write([line], STYLES.small, PAGE.left + (WIDTH - line.width) / 2, paper.y)
      paper.y += STYLES.small.leading
    }
  })
  paper.y += 6
}

/** The mark of the product. */
function drawLogo({ doc, y }: Paper): void {
  doc
    .save()
    .translate(PAGE.left, y)
    .scale(25.5 / 32)
  doc.roundedRect(0, 0, 32, 32, 9).fill(COLORS.primary)
  doc.path('M7.5 19.5a8.5 8.5 0 0 1 17 0z').fill('#ffffff')
  doc.circle(16, 8.2, 2.2).fill(COLORS.brass)
  doc
    .path('M6.5 21.5h19a1.5 1.5 0 0 1 0 3H14l-4.2 3.3c-.4 .3 -.9 0 -.9 -.5v-2.8H6.5a1.5 1.5 0 0 1 0 -3z')
    .fill('#ffffff')
  doc.restore()
}
