// The characters of a dump, whatever its database or the program that saved it wrote them in.

/** So much is looked at: from the beginning for what the dump says of itself, and from the first letter with an accent. */
const SAMPLE = 65_536
/** What a console of Windows writes. */
const UTF16 = [0xff, 0xfe]
/** Names of Postgres and MySQL for what others call otherwise. */
const LABELS: Readonly<Record<string, string>> = {
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'iso-8859-9',
  latin7: 'iso-8859-13',
  latin9: 'iso-8859-15',
}

/** A text as it comes. As long as nothing shows what it is written in it is the same in each. */
export async function* decodeTexts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let declared: string | null | undefined
  for await (const piece of gather(bytes, () => decoder !== undefined)) {
    if (declared === undefined) {
      declared = findDeclared(piece)
      if (UTF16.every((byte, at) => piece[at] === byte)) decoder = new TextDecoder('utf-16le')
    }
    if (!decoder && piece.some(byte => byte > 0x7f)) decoder = chooseDecoder(piece, declared)
    yield decoder ? decoder.decode(piece, { stream: true }) : Buffer.from(piece).toString('latin1')
  }
  if (decoder) yield decoder.decode()
}

/** Pieces that are large enough to be looked at, until that is over. */
async function* gather(bytes: AsyncIterable<Uint8Array>, isOver: () => boolean): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    size += chunk.byteLength
    if (size < SAMPLE && !isOver()) continue
    yield waiting.length === 1 ? chunk : Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** The bytes say it before the dump does: what is whole in UTF-8 is that, a broken letter or two aside. Else as the dump says, or Windows writes. */
function chooseDecoder(piece: Uint8Array, declared: string | null): TextDecoder {
  const text = new TextDecoder().decode(piece, { stream: true })
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const isWhole = !text.includes('\ufffd') || count(/[^\0-\x7f\ufffd]/g) > count(/\ufffd/g)
  return new TextDecoder(isWhole ? 'utf-8' : (declared ?? 'windows-1252'))
}

/** What it says before its first row; null: nothing, or nothing that this machine knows. */
function findDeclared(piece: Uint8Array): string | null {
  const head = Buffer.from(piece).toString('latin1')
  const [before = ''] = head.split(/^(?:COPY|INSERT|REPLACE) /m)
  const [, postgres, mysql, plain] =
    /^SET client_encoding = '(\w+)'|^\/\*!\d* ?SET NAMES (\w+)|^SET NAMES '?(\w+)/im.exec(before) ?? []
  const name = (postgres ?? mysql ?? plain ?? '').toLowerCase()
  const label = LABELS[name] ?? name.replace(/^(?:win|cp)(?=\d)/, 'windows-')
  try {
    return new TextDecoder(label).encoding === 'utf-8' ? null : label
  } catch {
    return null
  }
}
