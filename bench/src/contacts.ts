// The page of contacts and its search at ten thousand and at a million contacts, called as the routes call them, in this process.
import { countContactsFound, listContacts } from '@balcao/backend/desk/contacts/list'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { compare, type ListQuestion } from './lists.ts'
import type { SeededDatabase } from './seeded.ts'
import { openSeededContacts } from './seeded-contacts.ts'

export const contacts: Benchmark = {
  name: 'contacts',
  about: 'the page of contacts and its search at 10,000 and 1,000,000 contacts, in process',
  async run(options) {
    const times = readNumberOption(options, 'times', 100)
    const small = await openSeededContacts(readNumberOption(options, 'small', 10_000))
    const large = await openSeededContacts(readNumberOption(options, 'large', 1_000_000))
    try {
      const figures: Figure[] = []
      for (const question of PAGES) figures.push(...(await compare(question, small, large, times, { p95: 10 })))
      for (const question of [...SEARCHES, ...COUNTS])
        figures.push(...(await compare(question, small, large, times, { p95: 50 })))
      return figures
    } finally {
      await small.close()
      await large.close()
    }
  },
}

const PAGES: readonly ListQuestion[] = [
  {
    label: 'first page',
    on:
      async ({ db }) =>
      () =>
        listContacts(db, {}),
  },
  {
    label: 'first page without groups',
    on:
      async ({ db }) =>
      () =>
        listContacts(db, { ignoreGroup: 'true' }),
  },
  {
    label: 'a page anywhere, by its cursor',
    on: async world => {
      const cursors = await listCursors(world)
      return n => listContacts(world.db, { cursor: cursors[n % cursors.length] })
    },
  },
]

const SEARCHES: readonly ListQuestion[] = [
  makeSearchQuestion('the most common first name', ['maria', 'José', 'ANA', 'joão']),
  makeSearchQuestion('a common family name', ['silva', 'Conceição', 'souza', 'oliveira']),
  makeSearchQuestion('a first name late in the list', ['vera', 'vitoria', 'vanessa', 'terezinha']),
  makeSearchQuestion('a rare first name', ['zuleica', 'ulisses', 'quiteria', 'hortência']),
  makeSearchQuestion('a trade, one in eighty', ['padaria', 'oficina', 'clinica', 'hotel']),
  makeSearchQuestion('part of a name', ['anda', 'ceic', 'eirinha', 'itten']),
  makeSearchQuestion('two names, in any order', ['silva maria', 'joao souza', 'ana oliveira', 'Santos José']),
  makeSearchQuestion('two rare names', ['zuleica wolff', 'yasmin quaresma', 'ximena ximenes', 'bittencourt ivo']),
  makeSearchQuestion('three letters', ['mar', 'eir', 'xim', 'zzz']),
  makeSearchQuestion('nobody', ['rumpelstilz', 'qwertz', 'Żółć gęślą', 'maria rumpel']),
  makeSearchQuestion('an e-mail everybody has a part of', ['gmail.example', '@correio', 'cliente', 'empresa.ex']),
  { label: 'search: one e-mail', on: makeSingleSearch(n => `cliente${n - (n % 5)}@`) },
  { label: 'search: a whole number', on: makeSingleSearch(n => makeNumber(n)) },
  { label: 'search: a number as people write it', on: makeSingleSearch(n => formatNumber(makeNumber(n))) },
  { label: 'search: the last four digits', on: makeSingleSearch(n => makeNumber(n).slice(-4)) },
  makeSearchQuestion('an area code and what follows', ['31 99', '(11) 9', '5521', '9998']),
  {
    label: 'search: the tenth page of a common name',
    on: async ({ db }) => {
      let cursor: string | undefined
      for (let page = 0; page < 9; page++)
        cursor = (await listContacts(db, { searchParam: 'silva', cursor, count: 'false' })).nextCursor ?? cursor
      return () => listContacts(db, { searchParam: 'silva', cursor, count: 'false' })
    },
  },
]

/** What the page asks beside the rows of a search. */
const COUNTS: readonly ListQuestion[] = [
  makeCountQuestion('a common family name', ['silva', 'Conceição', 'souza', 'oliveira']),
  makeCountQuestion('two names, in any order', ['silva maria', 'joao souza', 'ana oliveira', 'Santos José']),
  makeCountQuestion('four digits', ['4455', '0123', '9876', '1290']),
  makeCountQuestion('nobody', ['rumpelstilz', 'qwertz', 'maria rumpel']),
]

function makeSearchQuestion(label: string, texts: readonly string[]): ListQuestion {
  return {
    label: `search: ${label}`,
    on:
      async ({ db }) =>
      n =>
        listContacts(db, { searchParam: texts[n % texts.length], count: 'false' }),
  }
}

function makeCountQuestion(label: string, texts: readonly string[]): ListQuestion {
  return {
    label: `count: ${label}`,
    on:
      async ({ db }) =>
      n =>
        countContactsFound(db, { searchParam: texts[n % texts.length] }),
  }
}

/** A search for one of all. */
function makeSingleSearch(textOf: (n: number) => string): ListQuestion['on'] {
  return async ({ db, tickets }) =>
    n =>
      listContacts(db, { searchParam: textOf(1 + ((n * 7919) % (tickets - 1))), count: 'false' })
}

function makeNumber(n: number): string {
  return `55${11 + (n % 89)}9${String((n * 7919) % 100_000_000).padStart(8, '0')}`
}

function formatNumber(number: string): string {
  return `(${number.slice(2, 4)}) ${number.slice(4, 9)}-${number.slice(9)}`
}

/** Places all over the list. */
async function listCursors({ db, tickets }: SeededDatabase): Promise<string[]> {
  const rows = await db.$client<{ id: number; name: string }[]>`
    select id, search_name as name from contact where id % ${Math.floor(tickets / 50)} = 1 and merged_into is null`
  return rows.map(({ id, name }) => Buffer.from(JSON.stringify([name, id])).toString('base64url'))
}
