// Dumps of other desks as text (docs/decisions/0319): rows of the wanted tables, whatever stands in them and wherever the pieces end.
import { expect, test } from 'bun:test'
import { measureProcessorMs } from '../../contract/test/processor-time.ts'
import { readDump } from '../src/operations/move-in/read/dump.ts'
import { chatwoot } from '../src/operations/move-in/sources/chatwoot.ts'
import { readAddress, readInstant } from '../src/operations/move-in/sources/values.ts'
import { whaticket } from '../src/operations/move-in/sources/whaticket.ts'

async function readAll(text: string | Uint8Array, source = whaticket, size = 7) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const found: Record<string, unknown>[] = []
  for await (const { table, rows } of readDump(pieces(), source)) found.push(...rows.map(row => ({ table, ...row })))
  return found
}

const COPY =
  'COPY public."Tags" (id, name, "companyId", junk) FROM stdin;\n1\tA\\tb\\\\.\\n\\x41\\N\t1\tx\n2\t\\N\t\\N\ty\n\\.\n'
const TAGS = [
  { table: 'Tags', id: '1', name: 'A\tb\\.\nAN', companyId: '1' },
  { table: 'Tags', id: '2', name: null, companyId: null },
]

test('blocks of COPY, in pieces of any size, packed, or as a console of Windows writes them', async () => {
  for (const size of [1, 3, 1000]) expect(await readAll(COPY, whaticket, size)).toEqual(TAGS)
  expect(await readAll(Bun.gzipSync(COPY))).toEqual(TAGS)
  const wide = new Uint8Array([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array([...COPY].map(sign => sign.charCodeAt(0))).buffer),
  ])
  expect(await readAll(wide)).toEqual(TAGS)
  expect(await readAll(COPY.replaceAll('\n', '\r\n').replaceAll('\\r\\n', '\\n'))).toEqual(TAGS)
})

test('statements of INSERT over several lines, with the columns of their table', async () => {
  const text = [
    'CREATE TABLE public."Tags" (\n    id integer NOT NULL,\n    "name" text,\n    CONSTRAINT x CHECK (id > 0)\n);',
    `INSERT INTO public."Tags" VALUES (1, 'a; ''b''`,
    `INSERT INTO public."Tags" VALUES (9, ''no row'');`,
    `c\\', 3), (2, E'x\\ty', NULL);`,
    'INSERT INTO public."Tags" ("companyId", name, id) VALUES (7, NULL, 3);',
  ].join('\n')
  expect(await readAll(text)).toEqual([
    { table: 'Tags', id: '1', name: `a; 'b'\nINSERT INTO public."Tags" VALUES (9, 'no row');\nc\\` },
    { table: 'Tags', id: '2', name: 'x\ty' },
    { table: 'Tags', companyId: '7', name: null, id: '3' },
  ])
})

test('what customers wrote in tables that nobody wants is no statement', async () => {
  const text =
    'INSERT INTO notes VALUES (1, \'x\nINSERT INTO "Tags" (id) VALUES (66);\n\');\nINSERT INTO "Tags" (id) VALUES (1);\n'
  expect(await readAll(text)).toEqual([{ table: 'Tags', id: '1' }])
})

test.each([
  ['as a dump of Postgres says', "SET client_encoding = 'WIN1250';\n", 'Łódź', 'windows-1250'],
  ['as a dump of MySQL says', '/*!40101 SET NAMES latin2 */;\n', 'Łódź', 'iso-8859-2'],
  ['as Windows writes', '', 'São João da Urtiga, açaí', 'windows-1252'],
  ['as Windows wrote what was UTF-8', "SET client_encoding = 'UTF8';\n", 'São João', 'windows-1252'],
  ['whole UTF-8, whatever the dump says', "SET client_encoding = 'LATIN1';\n", 'São João', 'utf-8'],
])('a dump in another encoding is read %s', async (_, head, name, encoding) => {
  const text = `${head}${'-- \n'.repeat(30_000)}COPY public."Tags" (id, name) FROM stdin;\n1\t${name}\n2\tSET NAMES utf8\n\\.\n`
  for (const size of [7, 70_000])
    expect(await readAll(encode(text, encoding), whaticket, size)).toEqual([
      { table: 'Tags', id: '1', name },
      { table: 'Tags', id: '2', name: 'SET NAMES utf8' },
    ])
})

/** By the table that reads it. */
function encode(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from(text, sign => bytes.get(sign) ?? 0x3f)
}

test('a broken letter in a text that is whole else breaks no other', async () => {
  const bytes = Buffer.concat([
    Buffer.from('COPY public."Tags" (id, name) FROM stdin;\n1\tSão João '),
    Buffer.of(0xff, 0x0a),
    Buffer.from('\\.\n'),
  ])
  expect(await readAll(bytes)).toEqual([{ table: 'Tags', id: '1', name: 'São João \ufffd' }])
})

test('of Chatwoot only numbers of WhatsApp are those of a message: other inboxes have their own', async () => {
  const toId = (source_id: string) => {
    const row = { id: '1', content: 'oi', conversation_id: '1', message_type: '0', source_id }
    const staged = chatwoot.tables.messages?.toRecord(row)
    return staged?.kind === 'message' ? staged.record.providerId : undefined
  }
  expect(
    ['wamid.HBgN', 'WAID:3EB0A1', '3EB0C767D097B7C7C030', '1042', '1234567890123456789', 'a1b2-c3', ''].map(toId),
  ).toEqual([...['wamid.HBgN', '3EB0A1', '3EB0C767D097B7C7C030'], ...[null, null, null, null]])
})

test('the packed form of pg_dump, and lines without an end, are refused', async () => {
  await expect(readAll('PGDMP\x01\x0e\n...')).rejects.toThrow('ERR_MOVE_IN_UNREADABLE')
  await expect(readAll(new Uint8Array(65 << 20).fill(120), chatwoot, 4 << 20)).rejects.toThrow('ERR_MOVE_IN_UNREADABLE')
})

test('a dump that ends before its end is refused, wherever that is', async () => {
  for (const text of [
    `--\n-- PostgreSQL database dump\n--\n${COPY}`,
    COPY.slice(0, -3),
    "INSERT INTO x VALUES (1,'a\n",
    '-- MySQL dump 10.13  Distrib 8.0.36\nCREATE TABLE `x` (\n  `id` int\n',
  ])
    await expect(readAll(text)).rejects.toThrow('ERR_MOVE_IN_CUT')
  await expect(readAll(Bun.gzipSync(COPY).subarray(0, 40))).rejects.toThrow('ERR_MOVE_IN_CUT')
  const whole = `-- PostgreSQL database dump\n${COPY}-- PostgreSQL database dump complete\n`
  expect(await readAll(whole)).toEqual(TAGS)
})

test('a text of many lines is read in a time that grows with it', async () => {
  const measure = (lines: number) => {
    const text = `INSERT INTO "Tags" (id, name) VALUES (1, '${'a\n'.repeat(lines)}');\n`
    return measureProcessorMs(() => readAll(text, whaticket, 1 << 16))
  }
  await measure(20_000)
  expect(await measure(160_000)).toBeLessThan(24 * (await measure(20_000)))
})

test('what a contact is reached by', () => {
  const read = (text: string, isGroup = false) => {
    const { address, fault } = readAddress(text, isGroup)
    return fault ?? address.number ?? address.lid ?? address.group
  }
  expect(
    [
      ...[
        '5531984507712',
        '+55 31 98450-7712',
        '5531984507712@s.whatsapp.net',
        '31984507712',
        '5215512345678',
        '158392934358280',
      ],
      ...['158392934358280@lid', '120363041234567890@g.us', 'abc', '', '12'],
    ].map(text => read(text)),
  ).toEqual([
    ...['5531984507712', '5531984507712', '5531984507712', '31984507712', '525512345678', '158392934358280'],
    ...['158392934358280', '120363041234567890@g.us', 'numberUnreadable', 'numberMissing', 'numberUnreadable'],
  ])
  // Whose contacts are mostly Brazilian has typed it without the country's code; what WhatsApp or a sign gives as whole is whole.
  expect(
    ['31984507712', '51987654321', '+31984507712', '51987654321@s.whatsapp.net', '5531984507712'].map(
      text => readAddress(text, false).address.local,
    ),
  ).toEqual(['5531984507712', '5551987654321', null, null, null])
  expect(read('5531984507712-1500000000', true)).toBe('5531984507712-1500000000@g.us')
})

test('instants with and without a zone, and those that cannot be', () => {
  expect(readInstant('2024-03-01 12:00:00.123456+00', '-03:00')).toBe('2024-03-01T12:00:00.123Z')
  expect(readInstant('2024-03-01 12:00:00', '-03:00')).toBe('2024-03-01T15:00:00.000Z')
  for (const text of ['', 'x', '1969-12-31 23:59:59+00', '2999-01-01 00:00:00+00', '0000-00-00 00:00:00', null])
    expect(readInstant(text, '+00:00')).toBeNull()
})
