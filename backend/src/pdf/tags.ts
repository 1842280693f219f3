// What a page says to who cannot see it: every mark on it belongs to an element of the document's tree, or is told apart as furniture.

/** PDFKit's elements, and what of them its types do not tell. */
export type Element = PDFKit.PDFStructureElement

interface Inner {
  readonly _root: { readonly data: { readonly StructTreeRoot: { readonly data: { readonly ParentTree: Tree } } } }
  readonly page: { readonly structParentTreeKey: number }
}
interface Tree {
  get(key: number): unknown
  add(key: number, value: unknown): void
}

export class Tags {
  readonly root: Element
  private place: Element

  constructor(private readonly doc: PDFKit.PDFDocument) {
    this.root = doc.struct('Document')
    doc.addStructure(this.root)
    this.place = this.root
  }

  /** An element inside of another, or where the document now is. `draw` may draw nothing but what belongs to it. */
  leaf(
    type: string,
    draw: () => void,
    { inside = this.place, ...told }: Told & { readonly inside?: Element } = {},
  ): void {
    const element = this.open(type, { inside, ...told })
    this.mark(element, type, draw)
    element.end()
  }

  /** An element whose parts are drawn one by one; whoever opens it ends it. */
  open(type: string, { inside = this.place, alt, attributes }: Told & { readonly inside?: Element } = {}): Element {
    const element = this.doc.struct(type, alt === undefined ? {} : { alt })
    if (attributes)
      (element as unknown as { dictionary: { data: Record<string, unknown> } }).dictionary.data.A = attributes
    inside.add(element)
    return element
  }

  /** A part of an open element, on the page of now. */
  mark(element: Element, type: string, draw: () => void): void {
    const content = this.doc.markStructureContent(type)
    draw()
    this.doc.endMarkedContent()
    element.add(content)
  }

  /** Lines, grounds, numbers of pages: not read out. */
  furniture(draw: () => void, type?: 'Pagination'): void {
    this.doc.markContent('Artifact', type ? { type } : {})
    draw()
    this.doc.endMarkedContent()
  }

  /** A page's list of its elements is written with the page, instead of being kept with all of them to the end. */
  pageDone(): void {
    const { _root: root, page } = this.doc as unknown as Inner
    const tree = root.data.StructTreeRoot.data.ParentTree
    const list = this.doc.ref(tree.get(page.structParentTreeKey) as object)
    list.end('')
    Object.assign(list, { data: {} })
    tree.add(page.structParentTreeKey, list)
  }
}

interface Told {
  /** Instead of what is drawn. */
  readonly alt?: string
  readonly attributes?: Readonly<Record<string, unknown>>
}
