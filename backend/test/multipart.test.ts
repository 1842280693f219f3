import { describe, expect, test } from 'bun:test'
import { parseMultipart } from '../src/platform/http/multipart.ts'
import { createSeededRandom } from './seeded-random.ts'

const TYPE = 'multipart/form-data; boundary=fim'
const words = new TextEncoder()

describe('a form', () => {
  test('is read the same however its bytes are cut, also where they look like a boundary', async () => {
    const file = `\r\n--fi\r\n\r\n--${'\r'.repeat(300)}\n--fi`
    const bytes = words.encode(
      [
        '--fim\r\nContent-Disposition: form-data; name="body"\r\n\r\nSegue o boleto\r\n--',
        `--fim\r\nContent-Disposition: form-data; name="medias"; filename="nº 7.pdf"\r\n\r\n${file}`,
        '--fim\r\nContent-Disposition: form-data; name="medias"; filename="vazio.txt"\r\n\r\n',
        '--fim--\r\n',
      ].join('\r\n'),
    )
    const whole = await read([bytes])
    expect(whole.map(part => [part.name, part.filename, part.text])).toEqual([
      ['body', null, 'Segue o boleto\r\n--'],
      ['medias', 'nº 7.pdf', file],
      ['medias', 'vazio.txt', ''],
    ])
    const random = createSeededRandom(7)
    for (let round = 0; round < 200; round++) {
      const chunks: Uint8Array[] = []
      for (let at = 0; at < bytes.length; ) {
        const next = at + 1 + random.upTo(round % 2 === 0 ? 4 : 60)
        chunks.push(bytes.slice(at, next))
        at = next
      }
      expect(await read(chunks)).toEqual(whole)
    }
  })

  test('may begin with other words, name a file with accents in either way, and leave quotes away', async () => {
    const text = [
      'Isto é um formulário',
      '--fim',
      'Content-Disposition: form-data; name=medias; filename="x.pdf"; filename*=UTF-8\'\'n%C2%BA%207.pdf',
      'content-type: application/pdf',
      '',
      'conteúdo',
      '--fim',
      'Content-Disposition: form-data; name="a \\"b\\" %22c%22"',
      '',
      'd',
      '--fim--',
      'e depois',
    ].join('\r\n')
    expect(await read([words.encode(text)])).toEqual([
      { name: 'medias', filename: 'nº 7.pdf', type: 'application/pdf', text: 'conteúdo' },
      { name: 'a "b" "c"', filename: null, type: '', text: 'd' },
    ])
  })

  test.each([
    ['that ends too soon', '--fim\r\nContent-Disposition: form-data; name="a"\r\n\r\nmetade', TYPE],
    ['with a part without a name', '--fim\r\nContent-Type: text/plain\r\n\r\na\r\n--fim--', TYPE],
    ['without its boundary', 'nada disso', TYPE],
    ['whose head has no end', `--fim\r\n${'a'.repeat(40_000)}`, TYPE],
    ['of another kind', '--fim--', 'text/plain'],
  ])('%s is refused', async (_what, text, type) => {
    await expect(read([words.encode(text)], type)).rejects.toMatchObject({ code: 'ERR_BAD_REQUEST' })
  })
})

test('a form that is read no further lets go of the rest of its body', async () => {
  let isLeft = false
  async function* body() {
    try {
      for (;;) yield words.encode('--fim\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n')
    } finally {
      isLeft = true
    }
  }
  for await (const _part of parseMultipart(body(), TYPE)) break
  expect(isLeft).toBe(true)
})

async function read(chunks: readonly Uint8Array[], type = TYPE) {
  const found: { name: string; filename: string | null; type: string; text: string }[] = []
  for await (const { bytes, ...head } of parseMultipart(streamOf(chunks), type)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(new Uint8Array(chunk))
    found.push({ ...head, text: Buffer.concat(chunks).toString() })
  }
  return found
}

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
