import { describe, expect, test } from 'bun:test'
import type { Block, DocumentHead, Row } from '../src/pdf/document.ts'
import { type PdfLimits, pdfOf } from '../src/pdf/write.ts'
import { readPdf } from './pdf-reader.ts'

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
})

function aTable(rows: Iterable<Row> | AsyncIterable<Row>): Block {
  const columns = [
    { head: 'Contato', under: 'número', weight: 2 },
    { head: 'Fila', weight: 1 },
    { head: 'Nota', weight: 1, align: 'right' as const },
  ]
  return { kind: 'table', columns, rows, empty: 'Nada neste período' }
}

async function read(blocks: Iterable<Block> | AsyncIterable<Block>, limits?: PdfLimits) {
  return readPdf(await bytesOf(blocks, limits))
}

async function bytesOf(blocks: Iterable<Block> | AsyncIterable<Block>, limits?: PdfLimits): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pdfOf({ head: HEAD, blocks }, limits)))
}
