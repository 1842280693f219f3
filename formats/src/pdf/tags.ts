// What a page says to who cannot see it: every mark on it belongs to an element of the document's tree, or is told apart as furniture.
// An element is written when it ends, and nothing is kept of it but its number: of a long table they are hundreds of thousands.
import type { Bytes } from './bytes.ts'
import { cleanText } from './lines.ts'
import { PAGE } from './looks.ts'
import { encodeUtf16, formatNumber, Reference } from './syntax.ts'

/** One whose parts are drawn one by one; whoever opens it ends it. */
export class Element {
  private readonly parts: (string | number)[] = []
  /** The page of its first part. */
  private page: number | null = null

  constructor(
    private readonly doc: Bytes,
    readonly id: number,
    private readonly title: string,
  ) {}

  add({ id }: Element): void {
    this.parts.push(`${id} 0 R`)
  }

  /** What is marked by a number on a page. */
  marked(page: number, mark: number): void {
    this.page ??= page
    this.parts.push(page === this.page ? mark : `<</Type/MCR/Pg ${page} 0 R/MCID ${mark}>>`)
  }

  end(): void {
    const page = this.page === null ? '' : `/Pg ${this.page} 0 R`
    this.doc.say(this.id, `<<${this.title}${page}/K[${this.parts.join(' ')}]>>`)
  }
}

/** What of PDFKit's tree its types do not tell. */
interface Inner {
  getStructTreeRoot(): { readonly id: number; readonly data: { K?: unknown; readonly ParentTree: Tree } }
  readonly page: { readonly structParentTreeKey: number; readonly dictionary: { readonly id: number } }
}
interface Tree {
  add(key: number, value: unknown): void
}

export class Tags {
  readonly root: Element
  private readonly inner: Inner
  /** Whose the marks of this page are, in their order. */
  private marks: number[] = []
  /** Of the last heading. */
  private level = 0

  constructor(private readonly doc: Bytes) {
    this.inner = doc as unknown as Inner
    const tree = this.inner.getStructTreeRoot()
    this.root = new Element(doc, doc.reserve(), `/S/Document/P ${tree.id} 0 R`)
    tree.data.K = [new Reference(this.root.id)]
  }

  /** An element inside of another, or of the document. `draw` may draw nothing but what belongs to it. */
  leaf(type: string, draw: () => void, options: TagOptions & { readonly inside?: Element } = {}): void {
    const element = this.open(type, options)
    this.mark(element, type, draw)
    element.end()
  }

  /** A heading of a level, or of a lower one where that would leave one out. */
  heading(level: number): string {
    this.level = Math.min(level, this.level + 1)
    return `H${this.level}`
  }

  open(
    type: string,
    { inside = this.root, alt, attributes }: TagOptions & { readonly inside?: Element } = {},
  ): Element {
    const more = [
      alt === undefined ? '' : `/Alt ${encodeUtf16(cleanText(alt, MOST_SAID))}`,
      attributes === undefined ? '' : `/A ${dictionary(attributes)}`,
    ]
    const entry = `/S/${type}/P ${inside.id} 0 R${more.join('')}`
    const element = new Element(this.doc, this.doc.reserve(), entry)
    inside.add(element)
    return element
  }

  /** A part of an open element, on the page of now. */
  mark(element: Element, type: string, draw: () => void): void {
    const mark = this.marks.push(element.id) - 1
    this.doc.addContent(`/${type} <</MCID ${mark}>> BDC`)
    draw()
    this.doc.addContent('EMC')
    element.marked(this.inner.page.dictionary.id, mark)
  }

  /** Lines, grounds, numbers of pages: not read out. */
  furniture(draw: () => void, type?: 'Pagination'): void {
    this.doc.addContent(type ? `/Artifact <</Type /${type}>> BDC` : '/Artifact BMC')
    draw()
    this.doc.addContent('EMC')
  }

  /** Says whose the marks of a page are, when it is full. */
  pageDone(): void {
    const { page } = this.inner
    const id = this.doc.reserve()
    this.doc.say(id, `[${this.marks.map(mark => `${mark} 0 R`).join(' ')}]`)
    this.inner.getStructTreeRoot().data.ParentTree.add(page.structParentTreeKey, new Reference(id))
    this.marks = []
  }
}

/** Where a figure stands: `x` and `y` of its upper left corner as PDFKit counts, from above. */
export function toBoxAttributes(x: number, y: number, width: number, height: number): Attributes {
  const top = PAGE.height - y
  return { O: 'Layout', Placement: 'Block', BBox: [x, top - height, x + width, top] }
}

type Attributes = Readonly<Record<string, string | number | readonly number[]>>

interface TagOptions {
  /** Instead of what is drawn. */
  readonly alt?: string
  readonly attributes?: Attributes
}

/** Nobody listens to more. */
const MOST_SAID = 20_000

function dictionary(attributes: Attributes): string {
  const written = (value: Attributes[string]) => {
    if (typeof value === 'string') return `/${value}`
    return typeof value === 'number' ? ` ${formatNumber(value)}` : `[${value.map(formatNumber).join(' ')}]`
  }
  return `<<${Object.entries(attributes)
    .map(([name, value]) => `/${name}${written(value)}`)
    .join('')}>>`
}
