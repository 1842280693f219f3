// Contacts are found by any part of what they are known by, in the order of their list, however many there are: held against the whole
// list looked through one by one, and read off Postgres' plans on a large book.
import { beforeAll, describe, expect, test } from 'bun:test'
import { type Contact, foldText, isContactFound, LIMITS, parseContactSearch } from '@balcao/contract'
import { listContacts } from '../src/desk/contacts/list.ts'
import { contactSearchSql, countFoundContacts, findContactPage } from '../src/desk/contacts/search.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { countRowsRead, createRecorder, PLAN_MODES, type PlanNode } from './recorded-plans.ts'
import { createSeededRandom } from './seeded-random.ts'

const { db, url, beforeDrop } = await createTestDatabase()
const sql = getSql(db)
const BOOK = 60_000
const FIRST = ['Ana', 'Maria', 'João', 'Çelebi', 'Érica', 'Zuleica', 'mar', 'Ana Maria']
const LAST = ['Silva', 'Souza', 'Conceição', 'Ferreira', 'Wolff', 'Clínica São José', 'da']

/** Every page of a search, one after the other. */
async function allFound(searchParam: string | undefined, more: { ignoreGroup?: string } = {}): Promise<Contact[]> {
  const found: Contact[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await listContacts(db, { ...more, searchParam, cursor })
    found.push(...page.contacts)
    if (page.nextCursor === null) return found
    cursor = page.nextCursor
  }
}

describe('spec 3 §2, decisions §22: a search of contacts', () => {
  beforeAll(async () => {
    const random = createSeededRandom(220)
    const rows = Array.from({ length: 300 }, (_, n) => ({
      name:
        n % 50 === 0 ? '' : `${random.pick(FIRST)} ${random.pick(LAST)}${n % 3 === 0 ? ` ${random.pick(LAST)}` : ''}`,
      email:
        n % 4 === 0
          ? `${random.pick(['vendas', 'José.maria', 'contato', 'joao_lima', '100%puro', 'a\\b'])}${n}@celebi.example`
          : '',
      number: `55${11 + (n % 30)}9${String((n * 7919_77) % 100_000_000).padStart(8, '0')}`,
      isGroup: n % 40 === 7,
      kind: n % 9 === 0 ? 'former' : 'pn',
    }))
    await sql`
      with r as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(name text, email text, number text, "isGroup" boolean, kind text)),
      made as (insert into contact (name, email, number, is_group) select name, email, number, "isGroup" from r returning id, number)
      insert into contact_identity (kind, value, contact_id) select r.kind, v, made.id from made join r using (number)
        cross join lateral (values (number), (left(number, 4) || right(number, 8))) spelled(v)`
    await sql`update contact set merged_into = 1 where id in (17, 171)`
  })

  const TEXTS = [
    'maria',
    'ana',
    'mar',
    'silva maria',
    'maria silva',
    'celebi',
    'ÇELEBI',
    'conceicao ana',
    'zuleica wolff',
    'clinica são',
    'eirinha',
    'eir',
    'vendas',
    'jose.maria',
    'example ana',
    '@celebi',
    '%%%',
    '___',
    'a!b',
    'joao_lima',
    'oao_li',
    'joaoxlima',
    '100%puro',
    '100%x',
    'a\\b',
    '"ana maria"',
    '(1)',
    '5511',
    '(031) 9',
    '+55 31 9',
    '0119',
    '77-19',
    'nobody at all',
    'da',
    'ana da',
    '…',
  ]
  for (const text of TEXTS)
    test(`for “${text}” finds just those in whom it stands, in the list’s order, page by page`, async () => {
      if ([...text].length < 3) {
        await expect(listContacts(db, { searchParam: text })).rejects.toThrow('ERR_VALIDATION')
        return
      }
      const wanted = parseContactSearch(text)
      const all = await allFound(undefined)
      const expected = all.filter(contact => isContactFound(contact, wanted)).map(({ id }) => id)
      expect((await allFound(text)).map(({ id }) => id)).toEqual(expected)
      const ids = await sql<{ id: number }[]>`select id from (${contactSearchSql(sql, text)}) f order by id`
      expect(ids.map(({ id }) => id)).toEqual(expected.toSorted((a, b) => a - b))
      const people = all.filter(contact => !contact.isGroup && isContactFound(contact, wanted)).map(({ id }) => id)
      expect((await allFound(text, { ignoreGroup: 'true' })).map(({ id }) => id)).toEqual(people)
    })

  test('finds a number in every form it is written in', async () => {
    const [row] = await sql<
      { id: number }[]
    >`insert into contact (name, number) values ('Xis', '5531987654321') returning id`
    const id = row?.id ?? 0
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '5531987654321', ${id}), ('pn', '553187654321', ${id})`
    for (const text of ['+55 (31) 98765-4321', '031 98765 4321', '31 8765-4321', '98765.4321', '5531987654321', '4321'])
      expect((await allFound(text)).map(contact => contact.id)).toContain(id)
    expect(await allFound('maria 98765')).toEqual([])
  })

  test('finds a contact by every one of its numbers, however many there are', async () => {
    const [row] = await sql<{ id: number }[]>`insert into contact (name) values ('Muitos números') returning id`
    const id = row?.id ?? 0
    const numbers = Array.from({ length: 45 }, (_, n) => `5547${String(988_110_000 + n * 137)}`)
    await sql`insert into contact_identity (kind, value, contact_id) select 'former', v, ${id} from unnest(${numbers}::text[]) v`
    for (const number of [numbers[0], numbers[20], numbers[44]]) {
      expect((await allFound(number)).map(contact => contact.id)).toEqual([id])
      expect((await allFound(number?.slice(-6))).map(contact => contact.id)).toContain(id)
    }
    const last = numbers[44]?.slice(-4)
    expect((await allFound(last)).map(contact => contact.id)).toContain(id)
  })

  test('chosen by name, whoever is called so comes first, however many others have it inside of theirs', async () => {
    const names = [
      ...Array.from({ length: 25 }, (_, n) => `Cleonice ${n}`),
      ...['Zé Leo', 'Léo', 'Leonor Zamba', 'Zamba Leal Leonor', 'Leo Zamba'],
    ]
    const made = await sql<{ id: number; name: string }[]>`
      insert into contact (name) select unnest(${names}::text[]) returning id, name`
    await sql`update contact set is_group = true where name = 'Leo Zamba'`
    const choose = async (text: string, more: { ignoreGroup?: string; pageNumber?: number } = {}) => {
      const page = await listContacts(db, { ...more, searchParam: text, order: 'match' })
      expect([page.contacts.length <= LIMITS.rowsPage, page.count, page.nextCursor]).toEqual([true, undefined, null])
      return { ...page, names: page.contacts.map(({ name }) => name) }
    }
    const first = await choose('leo')
    expect(first.names.slice(0, 6)).toEqual([
      'Léo',
      'Leo Zamba',
      'Leonor Zamba',
      'Zamba Leal Leonor',
      'Zé Leo',
      'Cleonice 0',
    ])
    expect(first.hasMore).toBe(true)
    const second = await choose('leo', { pageNumber: 2 })
    expect(second.hasMore).toBe(false)
    expect([...first.names, ...second.names].toSorted()).toEqual(names.toSorted())
    expect((await choose('leo', { ignoreGroup: 'true' })).names.slice(0, 2)).toEqual(['Léo', 'Leonor Zamba'])
    expect((await choose('zamba leon')).names).toEqual(['Leonor Zamba', 'Zamba Leal Leonor'])
    expect((await choose('leo zamba')).names[0]).toBe('Leo Zamba')
    const cursor = Buffer.from('["a",1]').toString('base64url')
    await expect(listContacts(db, { searchParam: 'leo', order: 'match', cursor })).rejects.toThrow('ERR_VALIDATION')
    await sql`delete from contact where id = any(${made.map(({ id }) => id)})`
  })

  test('chosen from, a search finds just whom it finds else', async () => {
    for (const text of TEXTS.filter(each => [...each].length >= 3)) {
      const { contacts } = await listContacts(db, { searchParam: text, order: 'match', all: 'true' })
      const ids = contacts.map(({ id }) => id).toSorted((a, b) => a - b)
      expect(ids).toEqual((await allFound(text)).map(({ id }) => id).toSorted((a, b) => a - b))
    }
  })

  test('the list holds the numbers that contacts have, whatever becomes of them', async () => {
    const made = await sql<{ id: number }[]>`insert into contact (name) values ('Um'), ('Outra') returning id`
    const [one = 0, other = 0] = made.map(({ id }) => id)
    const held = async () => {
      const rows = await sql<{ id: number; digits: string }[]>`
        select id, search_digits as digits from contact where id in (${one}, ${other}) order by id`
      return rows.map(({ digits }) => digits)
    }
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '5548900000002', ${one}), ('pn', '5548900000001', ${one}), ('lid', '77', ${one})`
    expect(await held()).toEqual(['5548900000001 5548900000002', ''])
    await sql`update contact_identity set contact_id = ${other} where value = '5548900000001'`
    expect(await held()).toEqual(['5548900000002', '5548900000001'])
    await sql`update contact_identity set kind = 'former' where value = '5548900000001'`
    expect(await held()).toEqual(['5548900000002', '5548900000001'])
    await sql`delete from contact_identity where value = '5548900000002'`
    expect(await held()).toEqual(['', '5548900000001'])
    await sql`delete from contact where id in (${one}, ${other})`
    expect(await held()).toEqual([])
    const wrong = await sql`
      select c.id from contact c where c.search_digits is distinct from contact_digits(
        (select string_agg(i.value, ' ' order by i.value collate "C") from contact_identity i where i.contact_id = c.id and i.kind in ('pn', 'former')))`
    expect(wrong).toHaveLength(0)
  })

  test('goes on behind names as long as they may be', async () => {
    const long = (letters: string) => letters.repeat(255).slice(0, 255)
    await sql`insert into contact (name, email) select ${long('½漢')} || g, ${long('ñ')} from generate_series(1, 25) g`
    const found = await allFound(foldText('½漢½').slice(0, 3))
    expect(found.length).toBeGreaterThanOrEqual(25)
  })
})

describe(`in a book of ${BOOK} contacts`, () => {
  beforeAll(async () => {
    for (const table of [sql`contact`, sql`contact_identity`])
      await sql`alter table ${table} set (autovacuum_enabled = false)`
    await db.transaction(async tx => {
      const quick = getSql(tx)
      await quick`set local session_replication_role = replica`
      await quick`delete from contact_identity`
      await quick`delete from contact`
      await quick`insert into contact (name, email, number, search_digits)
        select case when g % 10 = 0 then 'Maria ' when g % 500 = 1 then 'Quitéria ' else (array['Ana', 'Bruno', 'Carla', 'Zeca'])[1 + g % 4] || ' ' end
          || case when g % 4 = 3 then 'Prado' else (array['Silva', 'Souza', 'Lima'])[1 + g % 3] end || ' ' || case when g % 4 = 3 then 99999 - g else g end, case when g % 3 = 0 then 'c' || g || '@gmail.example' else '' end, (5531900000000 + g * 7)::text, (5531900000000 + g * 7)::text
        from generate_series(1, ${BOOK}) g`
      await quick`insert into contact_identity (kind, value, contact_id) select 'pn', number, id from contact`
    })
    await sql`vacuum (analyze) contact`
    await sql`vacuum (analyze) contact_identity`
  }, 120_000)

  for (const [text, why] of [
    ['prado', 'many, all of them late in the list'],
    ['maria', 'many who begin with it'],
    ['quiteria', 'few who begin with it'],
    ['maria silva', 'two words, one of them at the beginning'],
    ['silva 5', 'a word no index knows beside one'],
    ['319000', 'a number that very many have'],
  ])
    test(`“${text}”: ${why}`, async () => {
      const all = await sql<{ id: number }[]>`
        select c.id from contact c where (${parseContactSearch(text ?? '').words.length > 0}::boolean
            and c.search_text like all(array(select '%' || f_norm(w) || '%' from unnest(${[...parseContactSearch(text ?? '').words]}::text[]) w)))
          or ${parseContactSearch(text ?? '').digits}::text is not null and c.number like '%' || ${parseContactSearch(text ?? '').digits} || '%'
        order by c.search_name collate "C", c.id limit 60`
      const pages = [await listContacts(db, { searchParam: text })]
      for (let n = 1; n < 3; n++)
        pages.push(await listContacts(db, { searchParam: text, cursor: pages.at(-1)?.nextCursor ?? '' }))
      expect(pages.flatMap(page => page.contacts.map(({ id }) => id))).toEqual(all.map(({ id }) => id))
    })

  test('the number of what is found is exact below a thousand, and a thousand for all that are more', async () => {
    await sql`update contact set email = 'nove' || id where id in (select id from contact where email = '' order by id limit 999)`
    const count = (text: string, withGroups = true) => countFoundContacts(db, text, withGroups)
    for (const [more, expected] of [
      [0, 999],
      [1, 1000],
      [2, 1000],
    ] as const) {
      await sql`insert into contact (name, email) select 'Nove', 'nove@x.example' from generate_series(1, ${Math.min(more, 1)})`
      expect(await count('nove')).toBe(expected)
    }
    for (const text of [
      'quiteria',
      'maria silva',
      'silva 599',
      'prado',
      'maria',
      'gmail',
      '319000',
      '5531900',
      '4207',
      '-@-',
      '@gm',
    ]) {
      const [all] = await sql<{ n: number }[]>`select count(*)::int as n from (${contactSearchSql(sql, text)}) f`
      expect([text, await count(text)]).toEqual([text, Math.min(all?.n ?? 0, LIMITS.counted)])
    }
    await sql`update contact set is_group = true where search_name like 'quiteria%' and id % 2 = 0`
    const [groups] = await sql<
      { n: number }[]
    >`select count(*)::int as n from contact where search_name like 'quiteria%' and is_group`
    expect((await count('quiteria')) - (await count('quiteria', false))).toBe(groups?.n ?? 0)
    expect(groups?.n).toBeGreaterThan(0)
  })

  for (const mode of PLAN_MODES) {
    const recorded = createRecorder(url, mode)
    beforeDrop(() => recorded.end())
    const nodesOf = (query: Parameters<typeof listContacts>[1]) =>
      recorded.nodesOf(() => listContacts(recorded.db, query))
    const page = { bounds: { skip: 0, limit: LIMITS.rowsPage, after: null }, withGroups: true }
    const foundNodesOf = (text: string) => recorded.nodesOf(() => findContactPage(recorded.db, text, page, true))

    test(`a page anywhere is a stretch of one index, ${mode}`, async () => {
      const deep = Buffer.from(JSON.stringify(['maria lima 30000', 1])).toString('base64url')
      for (const query of [{}, { cursor: deep }, { ignoreGroup: 'true' }]) {
        const nodes = await nodesOf(query)
        expect(walks(nodes)).toEqual(['contact_by_name'])
        expect(total(of('contact', nodes))).toBeLessThanOrEqual(100)
      }
    })

    test(`whoever is chosen by name is found without reading the book, ${mode}`, async () => {
      // At the end of the list, behind sixty thousand others that the walk does not come to.
      await sql`insert into contact (name) select 'Zeca Prado Rumplestil' where not exists (select from contact where name like '%Rumplestil')`
      for (const [searchParam, most] of [
        ['maria', 200],
        ['prado', 25_000],
        ['rumplestil', 15_000],
        ['lima 59999', 15_000],
      ] as const) {
        const nodes = await recorded.nodesOf(() => listContacts(recorded.db, { searchParam, order: 'match' }))
        expect(nodes.some(node => node['Node Type'] === 'Seq Scan' && isBook(node))).toBe(false)
        expect([searchParam, total(nodes.filter(isBook)) <= most]).toEqual([searchParam, true])
      }
    })

    test(`what many have is found in the index of the list alone, without reading a contact, ${mode}`, async () => {
      for (const searchParam of ['silva', 'gmail', 'bruno', '5531 90']) {
        const nodes = await foundNodesOf(searchParam)
        expect(total(of('contact', nodes))).toBeLessThanOrEqual(20_000)
        expect(nodes.some(node => node['Node Type'] === 'Seq Scan' && isBook(node))).toBe(false)
        // Of the numbers only those that the page shows.
        expect(total(of('contact_identity', nodes))).toBeLessThanOrEqual(100)
      }
    })

    test(`how many there are is counted in a part of the list, or among those that few have, ${mode}`, async () => {
      for (const text of [
        'silva',
        'maria',
        'gmail',
        '5531 90',
        'quiteria',
        'lima 59999',
        '31900000007',
        'rumpelstilz',
      ]) {
        const nodes = await recorded.nodesOf(() => countFoundContacts(recorded.db, text, true))
        expect(nodes.some(node => node['Node Type'] === 'Seq Scan' && isBook(node))).toBe(false)
        // Of sixty thousand.
        expect([text, total(nodes.filter(isBook)) <= 23_000]).toEqual([text, true])
      }
    })

    test(`a page of a search whose number nobody asked for reads no more than the page, ${mode}`, async () => {
      for (const searchParam of ['silva', 'gmail', 'quiteria']) {
        const rows = async (query: Parameters<typeof listContacts>[1]) => total((await nodesOf(query)).filter(isBook))
        const found = total((await foundNodesOf(searchParam)).filter(isBook))
        expect(await rows({ searchParam, count: 'false' })).toBeLessThanOrEqual(found + 3 * LIMITS.rowsPage)
      }
    })

    test(`what few have is found by its letters, and a first name at its place in the list, ${mode}`, async () => {
      for (const searchParam of ['quiteria', 'maria', 'lima 59999', '31900000007', 'c30000@gmail', 'rumpelstilz']) {
        const nodes = await foundNodesOf(searchParam)
        expect(nodes.some(node => node['Node Type'] === 'Seq Scan' && isBook(node))).toBe(false)
        // Of sixty thousand: the four thousand that are looked at first, and little more.
        expect([searchParam, total(nodes.filter(isBook)) < 15_000]).toEqual([searchParam, true])
      }
    })
  }
})

function isBook(node: PlanNode): boolean {
  return node['Relation Name'] === 'contact' || node['Relation Name'] === 'contact_identity'
}

function of(table: string, nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.filter(node => node['Relation Name'] === table)
}

/** The indexes that are walked along. */
function walks(nodes: readonly PlanNode[]): string[] {
  return nodes.flatMap(node =>
    node['Node Type'] === 'Index Only Scan' && node['Relation Name'] === 'contact' ? (node['Index Name'] ?? []) : [],
  )
}

function total(nodes: readonly PlanNode[]): number {
  return nodes.map(countRowsRead).reduce((sum, rows) => sum + rows, 0)
}
