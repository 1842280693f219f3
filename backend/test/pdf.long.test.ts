import { describe, expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { inflateSync } from 'node:zlib'
import type { DocumentBlock, DocumentHead, Row } from '@balcao/formats/pdf/document'
import { computeOffsets } from '@balcao/formats/pdf/lines'
import { renderPdf } from '@balcao/formats/pdf/write'
import type { SubprocessLimits } from '@balcao/formats/subprocess/subprocess-writer'
import { flattenTags, readPdf } from './pdf-reader.ts'
import { waitUntil } from './until.ts'

/** Among the words of its process, bundled or not. */
const CHILD = /formats.src.pdf.child/
const HEAD: DocumentHead = {
  language: 'pt',
  title: 'Relatório de atendimentos',
  company: { name: 'Distribuidora São José', line: 'Rua das Acácias, 81' },
  made: ['Gerado em 24/11/2026 às 14:32', 'por Marina Souza'],
  filters: [
    { label: 'Período', value: '01/11/2026 a 24/11/2026' },
    { label: 'Fila', value: 'todas' },
  ],
  foot: { left: 'Balcão · Relatório de atendimentos', middle: 'Tempos sem o almoço' },
}

describe('decisions-2 §23, §13: reports as PDF', () => {
  test('every row stands once, the heads on every page, and each page says which it is of how many', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `linha-${String(at).padStart(4, '0')}`)
    const rows = names.map(
      (name): Row => [{ text: name, under: '+55 31 98317-2147' }, 'Comercial', String(name.length)],
    )
    const { pages } = await read([aTable(rows)])
    expect(pages.length).toBeGreaterThan(8)
    expect(pages.flatMap(page => page.text.match(/linha-\d{4}/g) ?? [])).toEqual(names)
    for (const [at, { text }] of pages.entries()) {
      expect(text).toContain('Contato')
      expect(text).toContain(`Página ${at + 1} de ${pages.length}`)
      expect(text.match(/Página/g)).toHaveLength(1)
    }
  })

  test('a document knows its title and language; heads are heads, figures have their numbers in words, furniture is not read out', async () => {
    const bytes = await bytesOf([
      { kind: 'heading', text: 'Atendimentos', aside: 'do mais novo' },
      { kind: 'charts', charts: [{ chart: 'bars', title: 'Por dia', bars: [aBar('01', 9), aBar('02', 12)] }] },
      aTable([['Ana', 'Vendas', '5']]),
    ])
    const { title, lang, pages } = await readPdf(bytes)
    expect([title, lang]).toEqual(['Relatório de atendimentos', 'pt-BR'])
    const tags = flattenTags(pages.flatMap(page => page.tree))
    const texts = (role: string) => tags.filter(one => one.role === role).map(one => one.text.trim())
    expect(texts('H1')).toEqual(['Relatório de atendimentos'])
    expect(texts('H2')).toEqual(['Atendimentos · do mais novo'])
    expect(texts('TH')).toEqual(['Contatonúmero', 'Fila', 'Nota'])
    expect(texts('TD')).toEqual(['Ana', 'Vendas', '5'])
    expect(tags.find(({ role }) => role === 'Figure')?.alt).toBe('Por dia: 01: 9; 02: 12')
    expect(tags.map(one => one.text).join('')).not.toContain('Página')
    const text = await contentOf(bytes)
    expect(text.match(/\/S\/TH\//g)).toHaveLength(3)
    expect(text.match(/\/Scope\/Column/g)).toHaveLength(3)
    expect(bytes.toString('latin1') + text).toContain('pdfuaid')
    // What is read out stands in the order in which it is drawn.
    expect(tags.map(({ role }) => role)).toEqual([
      ...[
        'Document',
        'P',
        'P',
        'H1',
        'P',
        'P',
        'H2',
        'H3',
        'Figure',
        'Table',
        'TR',
        'TH',
        'TH',
        'TH',
        'TR',
        'TD',
        'TD',
        'TD',
      ],
    ])
  })

  test('heads are read out once, and a row is on one page', async () => {
    const long = 'palavra '.repeat(40)
    const { pages } = await read([aTable(Array.from({ length: 60 }, (_, at): Row => [`${at} ${long}`, `«${at}»`, '']))])
    const heads = pages.flatMap(page => flattenTags(page.tree)).filter(({ role, text }) => role === 'TH' && text !== '')
    expect(heads).toHaveLength(3)
    for (const { text, tree } of pages) {
      expect(text).toContain('Contato')
      const rows = flattenTags(tree).filter(
        ({ role, children }) => role === 'TR' && children.some(({ role: cell }) => cell === 'TD'),
      )
      const words = rows.map(
        ({ children }) =>
          children
            .map(child => child.text)
            .join('')
            .match(/palavra/g)?.length ?? 0,
      )
      expect(words.every(n => n === 0 || n === 40)).toBe(true)
    }
  })

  test('accents, other alphabets, arrows and emoji are drawn and can be copied; what no letter is there for is a box that says what it was', async () => {
    const words = 'João Ação Łódź Ελλάδα Иван → ≥ € … “ok” 😀 ✅ 🇧🇷 𝓐𝓷𝓪'
    const { pages } = await read([{ kind: 'paragraph', text: words }])
    expect(pages[0]?.text.normalize('NFC')).toContain(words)
    const bytes = await bytesOf([{ kind: 'paragraph', text: '你' }])
    expect(await contentOf(bytes)).toContain('/ActualText <feff4f60>')
  })

  test('words from right to left are drawn in letters of their own and in their order, and read out as they were written', async () => {
    const words = ['محمد', 'שלום', 'עולם']
    for (const strong of [false, true]) {
      const bytes = await bytesOf([{ kind: 'paragraph', text: [{ text: `Sr. ${words.join(' ')} Lima`, strong }] }])
      const content = await contentOf(bytes)
      const places = words.map(word => {
        const actualText = `/ActualText <feff${Buffer.from(word, 'utf16le').swap16().toString('hex')}>`
        const [, x = ''] = new RegExp(`${actualText}>> BDC BT \\S+ \\S+ Tf 1 0 0 -1 (\\S+) `).exec(content) ?? []
        return Number(x)
      })
      expect(places.every(place => place > 40)).toBe(true)
      expect([...places].sort((one, other) => other - one)).toEqual(places)
      const name = strong ? 'SemiBold' : 'Regular'
      for (const font of [`NotoSansArabic-${name}`, `NotoSansHebrew-${name}`]) expect(bytes.includes(font)).toBe(true)
    }
  })

  test('within a line they turn with what stands between them, and with nothing else', () => {
    const piece = (text: string, isRightward = false) => ({ piece: { text, width: 1, isRightward } })
    const line = [piece('Sr. '), piece('א', true), piece(' '), piece('12'), piece('ב', true), piece(' '), piece('Lima')]
    expect(computeOffsets(line)).toEqual([0, 4, 3, 2, 1, 5, 6])
    expect(computeOffsets([piece('a'), piece('b')])).toEqual([0, 1])
  })

  test('no text breaks it or takes long: directions, control characters, half characters, marks without end, words without end', async () => {
    const texts = [
      ...[
        '\u202Egnp.exe',
        'a\u0000b\u0007c',
        '\ud800 só meia',
        '\udc00',
        '',
        ' ',
        '\n\n\n',
        '\r\n\t\v',
        'مرحبا שלום',
        '你好吗',
      ],
      ...[
        `a${'\u0301'.repeat(5000)}`,
        '\u200b'.repeat(5000),
        'x'.repeat(10_000),
        '😀'.repeat(5000),
        '\ufeff\ufffe\uffff',
      ],
      ...['🏳️‍🌈👩🏽‍🚀1️⃣', '\u{10ffff}', 'ﷺ'.repeat(500), '(\\)<>[]{}/%', 'नमस्ते'],
    ]
    const begun = performance.now()
    const { pages } = await read([
      ...texts.map((text): DocumentBlock => ({ kind: 'paragraph', text })),
      aTable(texts.map((text): Row => [{ text, under: text, color: 'red;' }, text, text])),
      ...texts.map(
        (text): DocumentBlock => ({
          ...{ kind: 'message', side: 'ours', author: text, foot: text },
          parts: [
            ...[{ part: 'text', text } as const, { part: 'quote', author: text, text } as const],
            ...[{ part: 'file', name: text, about: text } as const, { part: 'pair', left: text, right: text } as const],
            { part: 'picture', path: text, name: text },
          ],
        }),
      ),
      { kind: 'heading', text: 'x'.repeat(10_000), aside: 'y'.repeat(10_000) },
      { kind: 'facts', facts: texts.map(text => ({ label: text, value: text })) },
      { kind: 'figures', figures: texts.map(text => ({ label: text, value: text })) },
      ...[[], [aBar('x'.repeat(10_000), Number.NaN), aBar('', -5), aBar('b', Number.POSITIVE_INFINITY)]].map(
        (bars): DocumentBlock => ({
          kind: 'charts',
          charts: [
            ...[
              { chart: 'bars', title: '', bars } as const,
              { chart: 'shares', title: 'x'.repeat(10_000), bars } as const,
            ],
            {
              chart: 'lines',
              title: 'y',
              labels: bars.map(({ label }) => label),
              lines: [{ name: 'z', values: [null, Number.NaN, 1] }],
            },
          ],
        }),
      ),
      { kind: 'day', text: 'x'.repeat(10_000) },
      { kind: 'line', text: 'x'.repeat(10_000) },
    ])
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.map(page => page.text).join('')).toContain('a\u0301'.normalize('NFC'))
    // Far from the minutes that anything quadratic in these would take.
    expect(performance.now() - begun).toBeLessThan(40_000)
  })

  test('a name of ten thousand letters is cut in its cell; a message of as many is there to its last letter', async () => {
    const words = Array.from({ length: 3000 }, (_, at) => `p${at}`)
    const { pages } = await read([
      aTable([['x'.repeat(10_000), 'a', 'b']]),
      { kind: 'message', side: 'theirs', parts: [{ part: 'text', text: words.join(' ') }], foot: '14:32' },
    ])
    expect(pages.length).toBeGreaterThan(2)
    const text = pages.map(page => page.texts.join(' ')).join(' ')
    expect(text.match(/\bp\d+\b/g)).toHaveLength(3000)
    expect(text).toContain('…')
  })
})

describe('decisions-2 §13: what goes wrong while one is written', () => {
  test('blocks are taken as they are drawn: of who takes no bytes no more rows are asked', async () => {
    let lines = 0
    function* rows(): Generator<Row> {
      for (; ; lines++) yield [`linha ${lines} ${crypto.randomUUID()}`, crypto.randomUUID(), crypto.randomUUID()]
    }
    const bytes = renderPdf({ head: HEAD, blocks: [aTable(rows())] })
    await bytes.next()
    let before = -1
    await waitUntil('no more are asked for', async () => {
      const isStill = before === lines
      before = lines
      await Bun.sleep(300)
      return isStill && lines > 0
    })
    expect(lines).toBeLessThan(20_000)
    await bytes.return(undefined)
    const then = lines
    await Bun.sleep(100)
    expect(lines).toBe(then)
  })

  test('what the blocks throw is thrown, and their end is told to them', async () => {
    let isClosed = false
    async function* blocks(): AsyncGenerator<DocumentBlock> {
      try {
        yield { kind: 'heading', text: 'Um' }
        throw new Error('the database is away')
      } finally {
        isClosed = true
      }
    }
    await expect(bytesOf(blocks())).rejects.toThrow('the database is away')
    expect(isClosed).toBe(true)
  })

  test('a signal ends it with its reason, also while it waits for rows', async () => {
    const end = new AbortController()
    const rows = async function* (): AsyncGenerator<Row> {
      yield ['a', 'b', 'c']
      end.abort(new Error('the server stops'))
      await Bun.sleep(200)
      yield ['d', 'e', 'f']
    }
    await expect(bytesOf([aTable(rows())], { signal: end.signal })).rejects.toThrow('the server stops')
  })

  test('a process that breaks is `ERR_PDF`, and its words go to the log alone', async () => {
    const broken = { kind: 'paragraph', text: 5 } as unknown as DocumentBlock
    let content = ''
    const broke = (words: string) => {
      content = words
    }
    await expect(bytesOf([broken], { broke })).rejects.toMatchObject({ code: 'ERR_PDF' })
    expect(content).toContain('Error')
  })

  test('the process that draws steps back behind the one that serves', async () => {
    const bytes = renderPdf({ head: HEAD, blocks: [aTable(endless())] })
    await bytes.next()
    const { stdout } = Bun.spawnSync(['ps', '-o', 'ni=,args=', '--ppid', String(process.pid)])
    const own = stdout
      .toString()
      .split('\n')
      .find(line => CHILD.test(line))
    expect(Number.parseInt(own ?? '', 10)).toBeGreaterThan(getPriority())
    await bytes.return(undefined)
  })

  test('who throws while it takes the bytes, as a full disk does, leaves no process behind', async () => {
    let taken = 0
    const full = async () => {
      for await (const chunk of renderPdf({ head: HEAD, blocks: [aTable(endless())] })) {
        taken += chunk.length
        if (taken > 200_000) throw new Error('ENOSPC')
      }
    }
    await expect(full()).rejects.toThrow('ENOSPC')
    const { stdout } = Bun.spawnSync(['ps', '-o', 'args=', '--ppid', String(process.pid)])
    expect(stdout.toString()).not.toMatch(CHILD)
  })
})

function* endless(): Generator<Row> {
  for (;;) yield [crypto.randomUUID(), crypto.randomUUID(), '1']
}

function aBar(label: string, value: number) {
  return { label, value }
}

/** What its pages draw and its tree says, unpacked. */
async function contentOf(bytes: Buffer): Promise<string> {
  const text = bytes.toString('latin1')
  const parts = [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, part = '']) => Buffer.from(part, 'latin1'))
  return parts.map(part => (part[0] === 0x78 ? inflateSync(part).toString('latin1') : '')).join('\n')
}

function aTable(rows: Iterable<Row> | AsyncIterable<Row>): DocumentBlock {
  const columns = [
    { head: 'Contato', under: 'número', weight: 2 },
    { head: 'Fila', weight: 1 },
    { head: 'Nota', weight: 1, align: 'right' as const },
  ]
  return { kind: 'table', columns, rows, empty: 'Nada neste período' }
}

async function read(blocks: Iterable<DocumentBlock> | AsyncIterable<DocumentBlock>, limits?: SubprocessLimits) {
  return readPdf(await bytesOf(blocks, limits))
}

async function bytesOf(
  blocks: Iterable<DocumentBlock> | AsyncIterable<DocumentBlock>,
  limits?: SubprocessLimits,
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(renderPdf({ head: HEAD, blocks }, limits)))
}
