// What was said: theirs at the left, ours at the right, as on a phone. One that is longer than what is left of a page goes on on the next.
import type { BubblePart, MessageBubble } from './document.ts'
import { cleanText, type TextLine, type TextStyle } from './lines.ts'
import { COLORS, PAGE, STYLES, WIDTH } from './looks.ts'
import type { Paper } from './paper.ts'
import type { Picture } from './pictures.ts'
import { type Element, toBoxAttributes } from './tags.ts'

const PAD = 7
const MOST_WIDTH = WIDTH * 0.66
const INSIDE = MOST_WIDTH - PAD * 2
const PICTURE = { width: 190, height: 210, small: 70 } as const
const ICON = 20
const MOST_QUOTED = 3

/** Something of one height that is not parted. */
interface Strip {
  readonly height: number
  readonly width: number
  /** A line of words, with nothing at its right. */
  readonly isText?: boolean
  draw(x: number, y: number, right: number): void
}

/** What is one thing to who listens. */
interface BubbleElement {
  readonly type: 'P' | 'BlockQuote' | 'Figure'
  readonly alt?: string
  readonly strips: readonly Strip[]
}

export function drawBubble(paper: Paper, bubble: MessageBubble, pictures: ReadonlyMap<BubblePart, Picture>): void {
  const isOurs = bubble.side === 'ours'
  const parts = bubble.parts.flatMap(part => buildElements(paper, part, pictures))
  const elements = [...parts, buildFoot(paper, bubble.foot, parts.at(-1)?.strips.at(-1))]
  const width = Math.min(
    MOST_WIDTH,
    Math.max(...elements.flatMap(({ strips }) => strips.map(strip => strip.width))) + PAD * 2,
  )
  const x = isOurs ? PAGE.right - width : PAGE.left
  const height = elements.reduce((sum, { strips }) => sum + sumHeights(strips), 0) + PAD * 2
  const authorHeight = bubble.author === undefined ? 0 : STYLES.small.leading + 2
  const whole = PAGE.bottom - PAGE.top
  paper.need(Math.min(height, whole * 0.4) + authorHeight)
  if (bubble.author !== undefined) {
    const { author } = bubble
    const right = isOurs ? PAGE.right - 2 : undefined
    paper.tags.leaf('P', () =>
      paper.writeText(author, STYLES.small, PAGE.left + 2, paper.y, right === undefined ? {} : { right }),
    )
    paper.y += authorHeight
  }
  drawOnPages(paper, elements, { x, width, color: isOurs ? COLORS.ours : COLORS.theirs })
  paper.y += 3.5
}

interface Ground {
  readonly x: number
  readonly width: number
  readonly color: string
}

function drawOnPages(paper: Paper, elements: readonly BubbleElement[], ground: Ground): void {
  const left = elements.map(one => ({ ...one, strips: [...one.strips], element: null as Element | null }))
  while (left.length > 0) {
    const room = paper.room - PAD * 2
    // At least one thing stands on every page, so that it comes to an end.
    const some: { one: (typeof left)[number]; strips: Strip[] }[] = []
    let height = 0
    for (let one = left[0]; one; one = left[0]) {
      const strips: Strip[] = []
      while (one.strips[0] && (height + one.strips[0].height <= room || (height === 0 && paper.y <= PAGE.top + 60))) {
        height += one.strips[0].height
        strips.push(...one.strips.splice(0, 1))
      }
      if (strips.length > 0) some.push({ one, strips })
      if (one.strips.length > 0) break
      left.shift()
    }
    if (some.length > 0) drawGround(paper, ground, height + PAD * 2)
    let y = paper.y + PAD
    for (const { one, strips } of some) {
      const from = y
      one.element ??= paper.tags.open(one.type, one.alt === undefined ? {} : buildFigure(one.alt, strips, ground, from))
      paper.tags.mark(one.element, one.type, () => {
        let at = from
        for (const strip of strips) {
          strip.draw(ground.x + PAD, at, ground.x + ground.width - PAD)
          at += strip.height
        }
      })
      y = from + sumHeights(strips)
      if (one.strips.length === 0) one.element.end()
    }
    if (some.length > 0) paper.y += height + PAD * 2
    if (left.length > 0) paper.newPage()
  }
}

function buildFigure(alt: string, strips: readonly Strip[], { x }: Ground, y: number) {
  const width = Math.max(...strips.map(strip => strip.width))
  return { alt, attributes: toBoxAttributes(x + PAD, y, width, sumHeights(strips)) }
}

function drawGround(paper: Paper, { x, width, color }: Ground, height: number): void {
  paper.tags.furniture(() => paper.doc.roundedRect(x, paper.y, width, height, Math.min(7, height / 2)).fill(color))
}

function sumHeights(strips: readonly Strip[]): number {
  return strips.reduce((sum, strip) => sum + strip.height, 0)
}

function buildElements(paper: Paper, part: BubblePart, pictures: ReadonlyMap<BubblePart, Picture>): BubbleElement[] {
  switch (part.part) {
    case 'text':
      return [{ type: 'P', strips: toStrips(paper, paper.lines(part.text, STYLES.said, INSIDE), STYLES.said) }]
    case 'label':
      return [{ type: 'P', strips: toStrips(paper, paper.lines(part.text, STYLES.label, INSIDE), STYLES.label) }]
    case 'quiet':
      return [{ type: 'P', strips: toStrips(paper, paper.lines(part.text, STYLES.quiet, INSIDE), STYLES.quiet) }]
    case 'quote':
      return [buildQuote(paper, part)]
    case 'pair':
      return [buildPair(paper, part)]
    case 'file':
      return [buildFile(paper, part)]
    case 'picture': {
      const picture = pictures.get(part)
      return [picture ? buildPicture(paper, picture, part) : buildFile(paper, { name: part.name, about: '' })]
    }
  }
}

function toStrips(paper: Paper, lines: readonly TextLine[], style: TextStyle): Strip[] {
  return lines.map(line => ({
    height: style.leading,
    width: line.width,
    isText: true,
    draw: (x, y) => void paper.write([line], style, x, y),
  }))
}

function buildQuote(paper: Paper, { author, text }: Extract<BubblePart, { part: 'quote' }>): BubbleElement {
  const inside = INSIDE - 10
  const lines = [
    ...toStrips(paper, paper.lines(author, STYLES.head, inside, 1), STYLES.head),
    ...toStrips(paper, paper.lines(cleanText(text, 2000), STYLES.quiet, inside, MOST_QUOTED), STYLES.quiet),
  ]
  const height = sumHeights(lines) + 4
  const width = Math.max(...lines.map(line => line.width)) + 10
  const draw: Strip['draw'] = (x, y) => {
    paper.doc.rect(x, y, 2, height - 4).fill(COLORS.bar)
    let at = y
    for (const line of lines) {
      line.draw(x + 8, at, 0)
      at += line.height
    }
  }
  return { type: 'BlockQuote', strips: [{ height, width, draw }] }
}

/** What stands left, and its sum at the right. */
function buildPair(paper: Paper, { left, right }: Extract<BubblePart, { part: 'pair' }>): BubbleElement {
  const [sum] = paper.lines(right, STYLES.said, INSIDE / 2, 1)
  const lines = paper.lines(left, STYLES.said, INSIDE - (sum?.width ?? 0) - 14)
  const wide = Math.max(...lines.map(line => line.width)) + (sum?.width ?? 0) + 14
  const strips = toStrips(paper, lines, STYLES.said).map((strip, at) => ({
    ...strip,
    width: wide,
    isText: false,
    draw(x: number, y: number, to: number) {
      strip.draw(x, y, to)
      if (at === 0 && sum) paper.write([sum], STYLES.said, x, y, to)
    },
  }))
  return { type: 'P', strips }
}

function buildFile(paper: Paper, { name, about }: { readonly name: string; readonly about: string }): BubbleElement {
  const names = paper.lines(cleanText(name, 400), STYLES.label, INSIDE - ICON, 3)
  const abouts = about === '' ? [] : paper.lines(cleanText(about, 400), STYLES.under, INSIDE - ICON, 2)
  const height = names.length * STYLES.label.leading + abouts.length * STYLES.under.leading + 3
  const width = Math.max(...[...names, ...abouts].map(line => line.width)) + ICON
  const draw: Strip['draw'] = (x, y) => {
    drawSheet(paper, x, y + 1)
    const below = paper.write(names, STYLES.label, x + ICON, y)
    paper.write(abouts, STYLES.under, x + ICON, below)
  }
  return { type: 'P', strips: [{ height, width, draw }] }
}

/** A sheet with a folded corner. */
function drawSheet({ doc }: Paper, x: number, y: number): void {
  const [width, height, fold] = [11, 14, 4]
  doc
    .moveTo(x, y)
    .lineTo(x + width - fold, y)
    .lineTo(x + width, y + fold)
    .lineTo(x + width, y + height)
    .lineTo(x, y + height)
    .closePath()
    .lineWidth(0.9)
    .stroke(COLORS.muted)
  doc
    .moveTo(x + width - fold, y)
    .lineTo(x + width - fold, y + fold)
    .lineTo(x + width, y + fold)
    .stroke(COLORS.muted)
}

function buildPicture(
  paper: Paper,
  { bytes, width, height }: Picture,
  { name, small = false }: Extract<BubblePart, { part: 'picture' }>,
): BubbleElement {
  const most = small ? { width: PICTURE.small, height: PICTURE.small } : PICTURE
  const scale = Math.min(most.width / width, most.height / height, 0.75)
  const [wide, high] = [width * scale, height * scale]
  const draw: Strip['draw'] = (x, y) => void paper.doc.image(bytes, x, y, { width: wide, height: high })
  return { type: 'Figure', alt: name, strips: [{ height: high + 4, width: wide, draw }] }
}

/** At the end of the last line, where there is room for it. */
function buildFoot(paper: Paper, foot: string, last: Strip | undefined): BubbleElement {
  const lines = paper.lines(foot, STYLES.small, INSIDE, 2)
  const wide = 12 + (lines[0]?.width ?? 0)
  const fits = lines.length === 1 && last?.isText === true && last.width + wide <= INSIDE
  const strips = lines.map(line => ({
    height: fits ? 0 : STYLES.small.leading,
    width: fits ? (last?.width ?? 0) + wide : line.width,
    draw(x: number, y: number, right: number) {
      paper.write([line], STYLES.small, x, y + 1 - (fits ? STYLES.small.leading : 0), right)
    },
  }))
  return { type: 'P', strips }
}
