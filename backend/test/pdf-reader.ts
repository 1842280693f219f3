// Reads a PDF back as who gets it does: its pages' texts in their order, and the tree that is read out.
import { getDocumentProxy } from 'unpdf'

export interface ReadPage {
  /** What stands on it, in the order it is drawn, a text each. */
  readonly texts: readonly string[]
  readonly text: string
  readonly tree: readonly TaggedText[]
}

/** An element of the tree, with the words that belong to it. */
export interface TaggedText {
  readonly role: string
  readonly alt?: string
  readonly text: string
  readonly children: readonly TaggedText[]
}

export interface ReadPdf {
  readonly title: string
  readonly lang: string
  readonly pages: readonly ReadPage[]
}

interface Node {
  readonly role?: string
  readonly alt?: string
  readonly type?: string
  readonly id?: string
  readonly children?: readonly Node[]
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const file = await getDocumentProxy(new Uint8Array(bytes))
  const { info } = (await file.getMetadata()) as unknown as { info: Record<string, unknown> }
  const pages: ReadPage[] = []
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const texts: string[] = []
    const marked = new Map<string, string>()
    const open: string[] = []
    for (const item of items) {
      if ('str' in item) {
        if (item.str !== '') texts.push(item.str)
        for (const id of open) marked.set(id, (marked.get(id) ?? '') + item.str)
      } else if (item.type === 'endMarkedContent') open.pop()
      else open.push(item.id ?? '')
    }
    const tree = (await page.getStructTree()) as Node | null
    pages.push({ texts, text: texts.join(''), tree: tree ? childrenOf(tree, marked) : [] })
    page.cleanup()
  }
  await file.cleanup()
  return { title: String(info.Title), lang: String(info.Language ?? ''), pages }
}

/** Every element of these and below them. */
export function flattenTags(texts: readonly TaggedText[]): TaggedText[] {
  return texts.flatMap(one => [one, ...flattenTags(one.children)])
}

function childrenOf(node: Node, marked: ReadonlyMap<string, string>): TaggedText[] {
  return (node.children ?? []).flatMap(child => {
    if (child.role === undefined) return []
    const texts = (child.children ?? []).map(one => (one.id === undefined ? '' : (marked.get(one.id) ?? '')))
    const { role, alt } = child
    return [{ role, ...(alt === undefined ? {} : { alt }), text: texts.join(''), children: childrenOf(child, marked) }]
  })
}
