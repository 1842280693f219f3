// What PDF/UA-1 (ISO 14289-1) asks of a document and a machine can see, as far as ours have it: no forms, no links, no scripts.
import { type Dict, Operator, PdfObjects, parseValues, Ref, Text, type Value } from './pdf-objects.ts'

const HEADING = /^\/H([1-6])$/
/** Of the types of ISO 32000-1 §14.8.4 those that we write. */
const TYPES = new Set(['/Document', '/P', '/H1', '/H2', '/H3', '/BlockQuote', '/Table', '/TR', '/TH', '/TD', '/Figure'])
const PAINTS = new Set(['Tj', 'TJ', "'", '"', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 's', 'Do', 'sh'])

/** An element of the tree, and the marks that are its own: the page they are on, and their number there. */
interface Told {
  readonly id: number
  readonly type: string
  readonly dict: Dict
  readonly kids: readonly Told[]
  readonly marks: readonly { readonly page: number; readonly mark: number }[]
}

/** What is wrong with it, in words; nothing of one that is right. */
export function checkPdfUa(bytes: Buffer): string[] {
  const pdf = new PdfObjects(bytes)
  const root = pdf.dict(pdf.trailer.get('Root'))
  const pages = pagesOf(pdf, root.get('Pages'))
  const found = [...documentFindings(pdf, root)]
  const drawn = pages.map(page => drawnOn(pdf, page, found))
  const tree = treeOf(pdf, root, found)
  found.push(...headingFindings(tree), ...elementFindings(pdf, tree))
  found.push(...markFindings(pdf, root, { pages, drawn, tree }))
  return found
}

function* documentFindings(pdf: PdfObjects, root: Dict): Generator<string> {
  if (pdf.get(pdf.dict(root.get('MarkInfo')).get('Marked')) !== true) yield 'it is not said to be tagged'
  if (wordsOf(pdf.get(root.get('Lang'))) === '') yield 'it has no language'
  if (pdf.get(pdf.dict(root.get('ViewerPreferences')).get('DisplayDocTitle')) !== true) yield 'its title is not shown'
  const xmp = pdf.streamOf(root.get('Metadata')).toString('utf8')
  if (!/<pdfuaid:part>1<\/pdfuaid:part>/.test(xmp)) yield 'it does not say that it is PDF/UA-1'
  if (!/<dc:title>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">[^<]+<\/rdf:li>/.test(xmp)) yield 'it has no title'
  if (/&(?!amp;|lt;|gt;)|<(?![/?a-z])/i.test(xmp)) yield 'what it says of itself is no XML'
  if (pdf.trailer.has('Encrypt')) yield 'it is locked'
}

function pagesOf(pdf: PdfObjects, value: Value | undefined): { readonly id: number; readonly dict: Dict }[] {
  const dict = pdf.dict(value)
  if (dict.get('Type') === '/Page') return [{ id: value instanceof Ref ? value.id : 0, dict }]
  return pdf.list(dict.get('Kids')).flatMap(kid => pagesOf(pdf, kid))
}

/** The marks of a page in the order in which they are drawn. */
function drawnOn(pdf: PdfObjects, { dict }: { readonly dict: Dict }, found: string[]): number[] {
  const marks: number[] = []
  const open: { readonly mark: number | null; readonly isFurniture: boolean; readonly isMeant: boolean }[] = []
  const fonts = fontsOf(pdf, dict, found)
  let font = new Map<number, string>()
  let before: Value[] = []
  const contents = [dict.get('Contents')].flatMap(value => (Array.isArray(value) ? value : [value ?? null]))
  for (const value of parseValues(contents.map(one => pdf.streamOf(one).toString('latin1')).join('\n'))) {
    if (!(value instanceof Operator)) {
      before.push(value)
      continue
    }
    const [first, second] = before
    const { name } = value
    if (name === 'BDC' || name === 'BMC') {
      const element = pdf.dict(second)
      const mark = element.get('MCID')
      if (typeof mark === 'number') marks.push(mark)
      const isFurniture = first === '/Artifact'
      const isTagged = typeof mark === 'number'
      if ((isFurniture || isTagged) && open.some(one => one.isFurniture || one.mark !== null))
        found.push('a mark stands within another')
      open.push({ mark: isTagged ? mark : null, isFurniture, isMeant: element.has('ActualText') })
    }
    if (name === 'EMC' && !open.pop()) found.push('a mark ends that never began')
    if (PAINTS.has(name) && !open.some(one => one.isFurniture || one.mark !== null))
      found.push(`something is drawn with ${name} that is neither read out nor furniture`)
    if (name === 'Tf') font = fonts.get(String(first)) ?? new Map()
    if (name === 'Tj' || name === 'TJ')
      for (const code of codesIn(before))
        if (!font.get(code) && !open.some(one => one.isMeant)) found.push(`nobody knows which letter ${code} is`)
    before = []
  }
  if (open.length > 0) found.push('a mark never ends')
  if (new Set(marks).size < marks.length) found.push('two marks of a page have one number')
  if (dict.has('Annots') && dict.get('Tabs') !== '/S') found.push('the order of its links is not that of the tree')
  return marks
}

function* codesIn(values: readonly Value[]): Generator<number> {
  for (const value of values.flatMap(one => (Array.isArray(one) ? one : [one])))
    if (value instanceof Text) for (let at = 0; at < value.bytes.length; at += 2) yield value.bytes.readUInt16BE(at)
}

/** The letters of each font of a page by their codes. */
function fontsOf(pdf: PdfObjects, page: Dict, found: string[]): Map<string, Map<number, string>> {
  const fonts = pdf.dict(pdf.dict(page.get('Resources')).get('Font'))
  return new Map(
    [...fonts].map(([name, value]) => {
      const font = pdf.dict(value)
      const [descendant] = pdf.list(font.get('DescendantFonts'))
      const descriptor = pdf.dict(pdf.dict(descendant).get('FontDescriptor'))
      if (!descriptor.has('FontFile2') && !descriptor.has('FontFile3'))
        found.push(`the letters of ${name} are not there`)
      if (descriptor.has('FontFile2') && pdf.get(pdf.dict(descendant).get('CIDToGIDMap')) !== '/Identity')
        found.push(`the codes of ${name} are not its letters`)
      if (!font.has('ToUnicode')) found.push(`nobody knows what ${name} writes`)
      return [`/${name}`, lettersIn(pdf.streamOf(font.get('ToUnicode')).toString('latin1'))]
    }),
  )
}

function lettersIn(map: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, from = '', , list = ''] of map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi))
    for (const [nth, [, hex = '']] of [...list.matchAll(/<([0-9a-f\s]*)>/gi)].entries()) {
      const text = Buffer.from(hex.replace(/\s/g, ''), 'hex').swap16().toString('utf16le')
      letters.set(Number.parseInt(from, 16) + nth, text.replaceAll('\0', ''))
    }
  return letters
}

function treeOf(pdf: PdfObjects, root: Dict, found: string[]): Told[] {
  const top = root.get('StructTreeRoot')
  const element = (value: Value, above: Value | undefined): Told[] => {
    if (!(value instanceof Ref)) return []
    const dict = pdf.dict(value)
    const type = String(dict.get('S'))
    const parent = dict.get('P')
    if (!(parent instanceof Ref && above instanceof Ref && parent.id === above.id))
      found.push(`${type} knows another above it`)
    if (!TYPES.has(type)) found.push(`there is no ${type}`)
    const parts = dict.get('K')
    const all = Array.isArray(parts) ? parts : [parts ?? null]
    const own = dict.get('Pg')
    const marks = all.flatMap(part => {
      const other = part instanceof Map ? part.get('Pg') : own
      const mark = part instanceof Map ? part.get('MCID') : part
      return typeof mark === 'number' && other instanceof Ref ? [{ page: other.id, mark }] : []
    })
    return [{ id: value.id, type, dict, kids: all.flatMap(part => element(part, value)), marks }]
  }
  const tree = pdf.list(pdf.dict(top).get('K')).flatMap(value => element(value, top))
  if (tree.map(({ type }) => type).join() !== '/Document') found.push('the tree does not begin with the document')
  return tree
}

function* headingFindings(tree: readonly Told[]): Generator<string> {
  let before = 0
  for (const { type } of allOf(tree)) {
    const level = Number(HEADING.exec(type)?.[1] ?? 0)
    if (level > before + 1) yield `H${level} comes after ${before === 0 ? 'none' : `H${before}`}`
    if (level > 0) before = level
  }
  if (before === 0) yield 'there is no heading'
}

function* elementFindings(pdf: PdfObjects, tree: readonly Told[]): Generator<string> {
  for (const { type, dict, kids } of allOf(tree)) {
    const attributes = pdf.dict(dict.get('A'))
    if (type === '/Figure' && wordsOf(pdf.get(dict.get('Alt'))).trim() === '') yield 'a figure is not told in words'
    if (type === '/Figure' && pdf.list(attributes.get('BBox')).length !== 4) yield 'nobody knows where a figure is'
    if (type === '/TH' && !attributes.has('Scope')) yield 'a head does not say what of'
    if (type === '/TR' && kids.some(kid => kid.type !== '/TH' && kid.type !== '/TD')) yield 'a row has more than cells'
    if (type !== '/Table') continue
    if (kids.some(kid => kid.type !== '/TR')) yield 'a table has more than rows'
    const widths = kids.map(row =>
      row.kids.reduce((sum, cell) => sum + Number(pdf.dict(cell.dict.get('A')).get('ColSpan') ?? 1), 0),
    )
    if (new Set(widths).size > 1) yield `a table has rows of ${[...new Set(widths)].join(' and ')} cells`
  }
}

interface Marked {
  readonly pages: readonly { readonly id: number; readonly dict: Dict }[]
  readonly drawn: readonly (readonly number[])[]
  readonly tree: readonly Told[]
}

/** Every mark is of one element, its page knows which, and what is read out stands in the order in which it is drawn. */
function* markFindings(pdf: PdfObjects, root: Dict, { pages, drawn, tree }: Marked): Generator<string> {
  const parents = numbersOf(pdf, pdf.dict(root.get('StructTreeRoot')).get('ParentTree'))
  const tagged = allOf(tree).flatMap(({ id, type, marks }) => marks.map(mark => ({ id, type, ...mark })))
  for (const [at, page] of pages.entries()) {
    const own = tagged.filter(one => one.page === page.id)
    const known = pdf.list(parents.get(Number(page.dict.get('StructParents'))))
    for (const { id, type, mark } of own) {
      const parent = known[mark]
      if (!(parent instanceof Ref && parent.id === id)) yield `page ${at + 1} does not know whose ${mark} is (${type})`
    }
    const order = own.map(({ mark }) => mark)
    if (JSON.stringify(order) !== JSON.stringify(drawn[at]))
      yield `page ${at + 1} is read out in another order than it is drawn`
  }
  const order = tagged.map(({ page }) => pages.findIndex(({ id }) => id === page))
  if (order.some((page, nth) => page < (order[nth - 1] ?? 0))) yield 'the pages are read out in another order'
}

/** A tree of numbers, as a map. */
function numbersOf(pdf: PdfObjects, value: Value | undefined): Map<number, Value> {
  const dict = pdf.dict(value)
  const list = pdf.list(dict.get('Nums'))
  const own = list.flatMap((one, at): [number, Value][] => (at % 2 === 0 ? [[Number(one), list[at + 1] ?? null]] : []))
  return new Map([...own, ...pdf.list(dict.get('Kids')).flatMap(kid => [...numbersOf(pdf, kid)])])
}

function allOf(tree: readonly Told[]): Told[] {
  return tree.flatMap(one => [one, ...allOf(one.kids)])
}

function wordsOf(value: Value): string {
  return value instanceof Text ? value.words : ''
}
