// Searching over two million messages: words from one in every second message down to one message of all, names and numbers, for
// an administrator and for an attendant with two queues. Called as the routes call it, in this process.
import { listContacts } from '@balcao/backend/desk/contacts/list'
import { searchMessages } from '@balcao/backend/desk/messages/search'
import { searchTickets } from '@balcao/backend/desk/tickets/search'
import type { Session } from '@balcao/backend/policy/sessions/authenticate'
import type { QueryParams } from '@balcao/contract'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { compare, type ListQuestion, makeSession } from './lists.ts'
import { openSeededDatabase, type SeededDatabase } from './seeded.ts'
import { makeWord } from './sentences.ts'

const AIM = { p95: 100 }

export const search: Benchmark = {
  name: 'search',
  about: 'messages, names and numbers found among 20,000 and 2,000,000 messages, in process',
  async run(options) {
    const times = readNumberOption(options, 'times', 100)
    const small = await openSeededDatabase(readNumberOption(options, 'small', 10_000))
    const large = await openSeededDatabase(readNumberOption(options, 'large', 1_000_000))
    try {
      const figures: Figure[] = []
      for (const question of makeQuestions()) figures.push(...(await compare(question, small, large, times, AIM)))
      return figures
    } finally {
      await small.close()
      await large.close()
    }
  },
}

const PEOPLE: readonly { readonly person: string; readonly session: Session }[] = [
  { person: 'admin', session: makeSession(1, 'admin', []) },
  { person: 'user with 2 queues', session: makeSession(7, 'user', [7, 8]) },
]

/** Ten words of each kind in turn; in how many of the two million messages one stands is counted for the middle one. */
const WORDS = {
  'a word of every second message': makeWords(0, 2),
  'a common word, 1 in 30 messages': makeWords(8, 9),
  'a word of 1 in 100 messages': makeWords(80, 10),
  'an uncommon word, 1 in 1,500': makeWords(2600, 10),
}

export function makeQuestions(): ListQuestion[] {
  return [...makeTicketQuestions(), ...makeContactQuestions()]
}

/** The page of contacts: a tenth as many as tickets. */
function makeContactQuestions(): ListQuestion[] {
  const ask = (label: string, words: (n: number, world: SeededDatabase) => string, count?: string): ListQuestion => ({
    label: `page of contacts: ${label}`,
    isReadyAtOnce: true,
    on: async world => n => listContacts(world.db, { searchParam: words(n, world), count }),
  })
  const common = (n: number) => ['Silva', 'souza', 'CONCEICAO'][n % 3] ?? ''
  return [
    ask('a common name', common),
    ask('a common name, rows alone', common, 'false'),
    ask('one customer', (n, { tickets }) => `lucia ${10 + 12 * ((n * 7919) % (tickets / 120 - 1))}`),
    ask('a number', (n, { tickets }) => String(5531900000001 + ((n * 7919) % (tickets / 10)))),
    ask('the end of a number', (n, { tickets }) => String(5531900000001 + ((n * 7919) % (tickets / 10))).slice(-7)),
  ]
}

function makeTicketQuestions(): ListQuestion[] {
  return PEOPLE.flatMap(({ person, session }) => {
    const ask = (
      label: string,
      queries: (n: number, world: SeededDatabase) => QueryParams<'GET /tickets/filter'>,
    ): ListQuestion => ({
      label: `${label}, ${person}`,
      isReadyAtOnce: true,
      on: async world => n => searchTickets(world.db, session, { showAll: 'true', ...queries(n, world) }),
    })
    return [
      ...Object.entries(WORDS).map(([label, words]) =>
        ask(`message: ${label}`, n => ({ searchMessage: words[n % words.length] })),
      ),
      ask('message: two words together', n => ({
        searchMessage: `${makeWord(8 + (n % 5))} ${makeWord(80 + (n % 10))}`,
      })),
      ask('message: one order number of all', (n, { tickets }) => ({
        searchMessage: String(100 * (4 + 5 * ((n * 7919) % (tickets / 5 - 1))) + 1),
      })),
      ask('name, number or message: a common name', n => ({ searchParam: ['Silva', 'souza', 'CONCEICAO'][n % 3] })),
      ask('name, number or message: one customer', (n, { tickets }) => ({
        searchParam: `lucia ${10 + 12 * ((n * 7919) % (tickets / 120 - 1))}`,
      })),
      ask('contact: a number', (n, { tickets }) => ({
        searchContact: String(5531900000001 + ((n * 7919) % (tickets / 10))),
      })),
      ask('a word of a contact with a tag', n => ({
        searchMessage: makeWord(8 + (n % 9)),
        searchTag: String(1 + (n % 20)),
      })),
      {
        label: `inside the longest conversations, ${person}`,
        on: async world => {
          const tickets = await listLongest(world, session)
          return n => searchMessages(world.db, session, tickets[n % tickets.length] ?? 0, makeWord(80 + (n % 10)))
        },
      },
    ]
  })
}

/** The tickets with the most messages that this person may open. */
async function listLongest({ db }: SeededDatabase, { viewer }: Session): Promise<number[]> {
  const rows = await db.$client<{ id: number }[]>`
    select id from ticket where message_seq > 40 and (${viewer.profile === 'admin'}::boolean
      or (queue_id = any(${[...viewer.queueIds]}::int[]) and (user_id is null or user_id = ${viewer.id})))
    order by md5(id::text) limit 40`
  return rows.map(row => row.id)
}

function makeWords(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => makeWord(from + n))
}
