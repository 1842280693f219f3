// Documents as who cannot see them gets them (decisions-2 §13): what PDF/UA-1 asks and a machine can see.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentBlock, DocumentHead, Row } from '@balcao/formats/pdf/document'
import { renderPdf } from '@balcao/formats/pdf/write'
import { readPdf } from './pdf-reader.ts'
import { checkPdfUa } from './pdf-ua.ts'

const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)
const HEAD: DocumentHead = {
  ...{ language: 'pt', title: 'Conversas <de> "Ana" & Bia', company: { name: 'Silva & Filhos <Ltda>', line: 'Rua 1' } },
  ...{ made: ['Gerado hoje', 'por Marina'], filters: [{ label: 'Período', value: 'novembro' }] },
  foot: { left: 'Conversas', middle: 'Tempos sem o almoço' },
}

const folder = await mkdtemp(join(tmpdir(), 'balcao-ua-'))
await Bun.write(join(folder, 'um.png'), PNG)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('decisions-2 §13: a PDF can be read by who cannot see it', () => {
  test('with charts before any heading, tables over several pages, and tables of nothing', async () => {
    const rows = Array.from(
      { length: 150 },
      (_, at): Row => [
        { text: `Cliente ${at} 😀`, under: '+55 31 98317-2147', strong: true },
        { text: 'Vendas', color: '#2e9e6b' },
        `${at} ≥ 5 → João 你`,
      ],
    )
    expect(
      await findings([
        { kind: 'figures', figures: [{ label: 'Atendimentos', value: '150' }] },
        {
          kind: 'charts',
          charts: [
            { chart: 'bars', title: 'Por dia', bars: [{ label: '01', value: 3 }] },
            { chart: 'shares', title: 'Por fila', bars: [{ label: 'Vendas', value: 3, color: '#2e9e6b' }] },
            { chart: 'lines', title: 'Notas', labels: ['jan', 'fev'], lines: [{ name: 'Média', values: [4, null] }] },
            { chart: 'bars', title: 'De nada', bars: [] },
          ],
        },
        { kind: 'heading', text: 'Atendimentos', aside: 'do mais novo' },
        { kind: 'table', columns: columns(3), rows, totals: ['Total', '', '150'] },
        { kind: 'heading', text: 'Filas' },
        { kind: 'table', columns: columns(2), rows: [], empty: 'Nada neste recorte.' },
        { kind: 'paragraph', text: 'Uma nota', quiet: true },
        { kind: 'facts', facts: [{ label: 'Fila', value: 'todas' }] },
      ]),
    ).toEqual([])
  })

  test('with conversations: days, bubbles over two pages, pictures, quotes, files, other alphabets', async () => {
    const long = 'palavra '.repeat(3000)
    expect(
      await findings([
        { kind: 'day', text: '24/11/2026' },
        { kind: 'line', text: 'Bruna atendeu' },
        listTexts([{ part: 'picture', path: join(folder, 'um.png'), name: 'um.png' }]),
        listTexts([{ part: 'picture', path: join(folder, 'nenhum.png'), name: 'nenhum.png' }]),
        listTexts(
          [
            {
              part: 'text',
              text: [
                { text: 'forte', strong: true },
                { text: ' e riscado', struck: true },
              ],
            },
          ],
          'ours',
        ),
        listTexts([
          { part: 'quote', author: 'Ana', text: 'o que foi dito' },
          { part: 'label', text: 'Áudio' },
          { part: 'file', name: 'nota.pdf', about: '2 MB' },
          { part: 'pair', left: '2 × pão', right: 'R$ 9,00' },
          { part: 'quiet', text: 'transcrito' },
        ]),
        listTexts([{ part: 'text', text: `${long} مرحبا שלום नमस्ते 你好 ${long}` }], 'ours'),
        { kind: 'heading', text: 'Atendimento 2' },
        { kind: 'day', text: '25/11/2026' },
        listTexts([{ part: 'text', text: '' }]),
      ]),
    ).toEqual([])
  })

  test('says of itself in XML what it is called, whatever that is', async () => {
    const bytes = await bytesOf([{ kind: 'paragraph', text: 'a' }])
    const { title } = await readPdf(bytes)
    expect(title).toBe('Conversas <de> "Ana" & Bia')
    expect(bytes.includes('<rdf:li>Silva &amp; Filhos &lt;Ltda&gt;</rdf:li>')).toBe(true)
  })
})

async function findings(blocks: readonly DocumentBlock[]): Promise<string[]> {
  return [...new Set(checkPdfUa(await bytesOf(blocks)))]
}

async function bytesOf(blocks: readonly DocumentBlock[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(renderPdf({ head: HEAD, blocks })))
}

function listTexts(
  parts: Extract<DocumentBlock, { kind: 'message' }>['parts'],
  side: 'ours' | 'theirs' = 'theirs',
): DocumentBlock {
  return { kind: 'message', side, author: 'Ana', parts, foot: '14:32' }
}

function columns(n: number) {
  return Array.from({ length: n }, (_, at) => ({ head: `Coluna ${at}`, weight: 1 }))
}
