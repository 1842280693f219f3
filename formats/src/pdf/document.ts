// A document in the words of who makes one: a head, and blocks one after the other. `write.ts` makes a tagged PDF of it, page by page, in
// a process of its own; nothing here says where on a page something stands.

import type { Language } from '@balcao/contract'
import type { DeferredRows } from '../subprocess/lines.ts'

export interface Fact {
  readonly label: string
  readonly value: string
}

export interface DocumentHead {
  /** Of its furniture ('Página 3 de 12') too. */
  readonly language: Language
  readonly title: string
  /** Whose it is; `line`: its address, or what else stands below its name. */
  readonly company: { readonly name: string; readonly line?: string }
  /** When and by whom it was made, a line each: 'Gerado em 24/11/2026 às 14:32', 'por Marina Souza'. */
  readonly made: readonly string[]
  /** What it holds: period first, then every filter, also those that leave everything in. */
  readonly filters: readonly Fact[]
  /** At the foot of every page: what the document is, and what its figures mean. */
  readonly foot: { readonly left: string; readonly middle?: string }
}

/** Words with how they look. `\n` begins a new line. */
export interface StyledText {
  readonly text: string
  readonly strong?: boolean
  readonly slant?: boolean
  readonly struck?: boolean
}
export type Words = string | readonly StyledText[]

/** Colours are written as `#2c53a4`. */
export interface DocumentColumn {
  readonly head: string
  /** The second line of the head, for what stands on the second lines of the cells. */
  readonly under?: string
  /** Its share of the width. */
  readonly weight: number
  readonly align?: 'left' | 'right'
}

/** A text, or one with a second line in grey, and a dot of a colour before it. */
export type Cell =
  | string
  | { readonly text: string; readonly under?: string; readonly color?: string; readonly strong?: boolean }
export type Row = readonly Cell[]

export interface Table {
  readonly kind: 'table'
  readonly columns: readonly DocumentColumn[]
  /** Taken as they are drawn: a million of them take no more memory than a hundred. */
  readonly rows: AsyncIterable<Row> | Iterable<Row> | DeferredRows
  /** What stands where there is no row. */
  readonly empty?: string
  /** The last row: sums. */
  readonly totals?: Row
}

/** One value of a chart; `text` where its number is not what people read. */
export interface Bar {
  readonly label: string
  readonly value: number
  readonly text?: string
  readonly color?: string
}

interface Titled {
  readonly title: string
  /** Its share of the width beside the others of the block. */
  readonly weight?: number
}

/** Columns over time, or one bar below the other. Screen readers are given all numbers. */
export interface BarChart extends Titled {
  readonly chart: 'bars' | 'shares'
  readonly bars: readonly Bar[]
}

export interface LineChart extends Titled {
  readonly chart: 'lines'
  readonly labels: readonly string[]
  /** A value for each label; null where there is none. */
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
}

export type Chart = BarChart | LineChart

/** What a bubble holds, from above to below. */
export type BubblePart =
  | { readonly part: 'text' | 'label' | 'quiet'; readonly text: Words }
  | { readonly part: 'quote'; readonly author: string; readonly text: string }
  /** A picture on the disk; what cannot be opened as one is named by `name`. */
  | { readonly part: 'picture'; readonly path: string; readonly name: string; readonly small?: boolean }
  | { readonly part: 'file'; readonly name: string; readonly about: string }
  | { readonly part: 'pair'; readonly left: string; readonly right: string }

export interface MessageBubble {
  readonly kind: 'message'
  readonly side: 'theirs' | 'ours'
  /** Whose it is, above the first of several. */
  readonly author?: string
  readonly parts: readonly BubblePart[]
  /** Its time, and what else is told of it. */
  readonly foot: string
}

export type DocumentBlock =
  | { readonly kind: 'heading'; readonly text: string; readonly aside?: string }
  | { readonly kind: 'paragraph'; readonly text: Words; readonly quiet?: boolean }
  /** The few figures that say most, large, beside each other. */
  | { readonly kind: 'figures'; readonly figures: readonly Fact[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'charts'; readonly charts: readonly Chart[] }
  | Table
  /** A conversation: its days, what was said, and lines about it. */
  | { readonly kind: 'day'; readonly text: string }
  | MessageBubble
  | { readonly kind: 'line'; readonly text: string }

export interface PdfDocument {
  readonly head: DocumentHead
  readonly blocks: AsyncIterable<DocumentBlock> | Iterable<DocumentBlock>
}
