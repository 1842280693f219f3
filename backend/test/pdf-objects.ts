// Reads a PDF down to its objects, by its own table of places: what screen readers and validators see of it.
import { inflateSync } from 'node:zlib'

export class Ref {
  constructor(readonly id: number) {}
}
/** The bytes of a text. */
export class Text {
  constructor(readonly bytes: Buffer) {}

  get words(): string {
    const { bytes } = this
    return bytes[0] === 0xfe && bytes[1] === 0xff
      ? Buffer.from(bytes.subarray(2)).swap16().toString('utf16le')
      : bytes.toString('latin1')
  }
}
export class Operator {
  constructor(readonly name: string) {}
}
export type Dict = ReadonlyMap<string, Value>
/** A name is written `/Name`. */
export type Value = null | boolean | number | string | Ref | Text | Operator | Dict | readonly Value[]

type Place = { readonly at: number } | { readonly pack: number; readonly nth: number }

export class PdfObjects {
  readonly trailer: Dict
  private readonly text: string
  private readonly places = new Map<number, Place>()
  private readonly packs = new Map<number, readonly Value[]>()

  constructor(private readonly bytes: Buffer) {
    this.text = bytes.toString('latin1')
    const [, start = ''] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(this.text) ?? []
    const { value, stream } = this.read(Number(start))
    this.trailer = dictOf(value)
    const [kind = 0, first = 0, second = 0] = listOf(this.trailer.get('W')).map(Number)
    const row = kind + first + second
    for (let id = 0; id * row < stream.length; id++) {
      const entry = stream.subarray(id * row, (id + 1) * row)
      const [one, other] = [entry.readUIntBE(kind, first), entry.readUIntBE(kind + first, second)]
      if (entry[0] === 1) this.places.set(id, { at: one })
      if (entry[0] === 2) this.places.set(id, { pack: one, nth: other })
    }
  }

  /** What a value stands for. */
  get(value: Value | undefined): Value {
    if (!(value instanceof Ref)) return value ?? null
    const place = this.places.get(value.id)
    if (!place) return null
    return 'at' in place ? this.get(this.read(place.at).value) : (this.packed(place.pack)[place.nth] ?? null)
  }

  dict(value: Value | undefined): Dict {
    return dictOf(this.get(value))
  }

  list(value: Value | undefined): readonly Value[] {
    return listOf(this.get(value))
  }

  /** The bytes of a stream, unpacked. */
  streamOf(value: Value | undefined): Buffer {
    const place = value instanceof Ref ? this.places.get(value.id) : undefined
    return place && 'at' in place ? this.read(place.at).stream : Buffer.alloc(0)
  }

  private packed(id: number): readonly Value[] {
    const known = this.packs.get(id)
    if (known) return known
    const object = this.dict(new Ref(id))
    const text = this.streamOf(new Ref(id)).toString('latin1')
    const first = Number(object.get('First'))
    const heads = [...parseValues(text.slice(0, first))].map(Number)
    const values = Array.from({ length: Number(object.get('N')) }, (_, nth) =>
      new Reader(text, first + (heads[nth * 2 + 1] ?? 0)).value(),
    )
    this.packs.set(id, values)
    return values
  }

  private read(at: number): { readonly value: Value; readonly stream: Buffer } {
    const [head = ''] = /^\d+ 0 obj\b/.exec(this.text.slice(at, at + 40)) ?? []
    if (head === '') throw new Error(`There is no object at ${at}`)
    const reader = new Reader(this.text, at + head.length)
    const value = reader.value()
    const [begin] = /^\s*stream\r?\n/.exec(this.text.slice(reader.at, reader.at + 20)) ?? []
    if (begin === undefined) return { value, stream: Buffer.alloc(0) }
    const from = reader.at + begin.length
    const raw = this.bytes.subarray(from, from + Number(this.get(dictOf(value).get('Length'))))
    const filter = this.get(dictOf(value).get('Filter'))
    return { value, stream: filter === '/FlateDecode' ? inflateSync(raw) : raw }
  }
}

/** All values of a text, one after the other: of a page, what it is drawn with. */
export function* parseValues(text: string): Generator<Value> {
  const reader = new Reader(text)
  for (;;) {
    reader.skip()
    if (reader.at >= text.length) return
    yield reader.value()
  }
}

class Reader {
  constructor(
    private readonly text: string,
    public at = 0,
  ) {}

  skip(): void {
    this.take(/(?:[\s\0]|%[^\r\n]*)*/y)
  }

  value(): Value {
    this.skip()
    if (this.take(/<</y)) return this.dict()
    if (this.take(/\[/y)) return this.list()
    const hex = this.take(/<([0-9a-fA-F\s]*)>/y)
    if (hex) return new Text(Buffer.from((hex[1] ?? '').replace(/\s/g, ''), 'hex'))
    if (this.take(/\(/y)) return this.literal()
    const name = this.take(/\/([^\s\0()<>[\]{}/%]*)/y)
    if (name)
      return `/${(name[1] ?? '').replace(/#([0-9a-fA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))}`
    const ref = this.take(/(\d+) \d+ R\b/y)
    if (ref) return new Ref(Number(ref[1]))
    const number = this.take(/[+-]?(?:\d+\.?\d*|\.\d+)/y)
    if (number) return Number(number[0])
    const [word = ''] = this.take(/[^\s\0()<>[\]{}/%]+/y) ?? []
    if (word === '') throw new Error(`Nothing is written like ${this.text.slice(this.at, this.at + 20)}`)
    return word === 'true' ? true : word === 'false' ? false : word === 'null' ? null : new Operator(word)
  }

  private dict(): Dict {
    const found = new Map<string, Value>()
    for (;;) {
      this.skip()
      if (this.take(/>>/y)) return found
      const name = this.value()
      if (typeof name !== 'string') throw new Error('A dictionary has names')
      found.set(name.slice(1), this.value())
    }
  }

  private list(): Value[] {
    const found: Value[] = []
    for (;;) {
      this.skip()
      if (this.take(/\]/y)) return found
      found.push(this.value())
    }
  }

  private literal(): Text {
    const bytes: number[] = []
    for (let depth = 1; ; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (Number.isNaN(code)) throw new Error('A text has no end')
      const letter = this.text[this.at]
      if (letter === '\\') {
        this.at++
        const octal = /^[0-7]{1,3}/.exec(this.text.slice(this.at, this.at + 3))?.[0]
        const next = this.text[this.at] ?? ''
        bytes.push(octal ? Number.parseInt(octal, 8) : (ESCAPED[next] ?? next.charCodeAt(0)))
        if (octal) this.at += octal.length - 1
        continue
      }
      if (letter === '(') depth++
      if (letter === ')' && --depth === 0) break
      bytes.push(code)
    }
    this.at++
    return new Text(Buffer.from(bytes))
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }
}

const ESCAPED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

function dictOf(value: Value): Dict {
  return value instanceof Map ? value : new Map()
}

function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}
