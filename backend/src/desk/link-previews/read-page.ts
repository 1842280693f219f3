// What a page says of itself in its head, read as it comes and no further.
import { decodeHTML } from 'entities'
import { toPlainLine } from './plain-line.ts'

const MOST_BYTES = 512 * 1024
const MOST_TITLE = 200
const MOST_TEXT = 300
const MOST_SOURCE = 2000
const CHARSET = /charset=["']?([\w-]{1,30})/i

export interface PageHead {
  readonly title: string
  readonly text: string
  /** The address of its picture as it stands there. */
  readonly picture: string
}

/** Null: the answer is no page, or says nothing. */
export async function readPageHead(answer: Response): Promise<PageHead | null> {
  const type = answer.headers.get('content-type') ?? ''
  // What is packed could be without end.
  const isPage = /^text\/html\b/i.test(type) && !/\S/.test(answer.headers.get('content-encoding') ?? '')
  if (!answer.ok || !isPage) {
    await answer.body?.cancel()
    return null
  }
  const bytes = await readStart(answer)
  const head = await parseHead(decode(bytes, type))
  return head.title === '' ? null : head
}

/** As far as the head goes, or half a megabyte. */
async function readStart(answer: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  let tail = ''
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    const piece = tail + Buffer.from(chunk).toString('latin1').toLowerCase()
    if (size >= MOST_BYTES || piece.includes('</head>')) break
    tail = piece.slice(-6)
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES)
}

function decode(bytes: Uint8Array, type: string): string {
  const charset = CHARSET.exec(type)?.[1] ?? CHARSET.exec(Buffer.from(bytes.subarray(0, 2048)).toString('latin1'))?.[1]
  try {
    return new TextDecoder(charset as Bun.Encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

async function parseHead(html: string): Promise<PageHead> {
  const values = new Map<string, string>()
  let titles = 0
  const keep = (name: string, value: string) => {
    if (!values.has(name) && value.trim() !== '') values.set(name, value.slice(0, MOST_SOURCE))
  }
  let title = ''
  await new HTMLRewriter()
    .on('title', {
      element() {
        titles++
      },
      text(chunk) {
        if (titles === 1 && title.length < MOST_SOURCE) title += chunk.text
      },
    })
    .on('meta', {
      element(meta) {
        const name = meta.getAttribute('property') ?? meta.getAttribute('name')
        if (name) keep(name.slice(0, 40).toLowerCase(), meta.getAttribute('content') ?? '')
      },
    })
    .transform(new Response(html))
    .text()
  const first = (...names: string[]) => names.map(name => values.get(name)).find(value => value !== undefined) ?? ''
  return {
    title: toPlainLine(decodeHTML(first('og:title', 'twitter:title') || title), MOST_TITLE),
    text: toPlainLine(decodeHTML(first('og:description', 'description', 'twitter:description')), MOST_TEXT),
    picture: decodeHTML(first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image')).trim(),
  }
}
