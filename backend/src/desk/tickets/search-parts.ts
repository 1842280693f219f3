// The two parts of a search: what was written, and what contacts are called. Each looks through the newest tickets a viewer may see, in the
// order of the lists: what is common is found there many times. Only what is not common goes to an index, which knows all that is rare at
// once; which of both it is, Postgres' statistics and the first of the newest tickets tell. What is neither is walked to, so many tickets a
// page (docs/decisions/0095).
import { LIMITS } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import type { TicketSearch } from './search-conditions.ts'
import { estimateMessageCount, findFewContacts, findTicketsByMessages } from './search-index.ts'
import type { NewestTickets, WalkEnd } from './search-newest.ts'
import {
  filterTickets,
  filterTicketsByMessages,
  findContactTickets,
  findContactTicketsByMessages,
  findLastRead,
} from './search-walk.ts'

/** How far a search goes. None of these may depend on how much there is. */
export const SEARCH_REACH = {
  /** How many of the newest tickets are looked through one by one; the first of them are enough for a common word. */
  first: 250,
  walk: 4000,
  /** So many of them tell whether a walk will find enough; twice as many of a word that is not expected to be rare. */
  sample: 500,
  /** So many messages the index gives sooner than a walk ends; up to ten times as many are expected of words that are as rare. */
  rare: 5000,
  perhapsRare: 50_000,
  /** A walk that promises to be no longer is worth going on with, though the index may give what is less rare than it is expected to be. */
  shortWalk: 12_000,
  /** So many contacts' tickets are sorted sooner than more messages than that are read. */
  fewPeople: 2000,
  manyPeople: 20_000,
}
export type SearchReach = typeof SEARCH_REACH

/** What one part found, in the order of the lists. `end`: the last ticket it knows of; null: it knows of all. */
export interface SearchPart {
  readonly ids: readonly number[]
  readonly end: WalkEnd
}

type Among = (part: readonly number[], most: number) => Promise<number[]>

/** Tickets with a message that holds the words. */
export async function findByMessages(
  db: Db,
  search: TicketSearch,
  newest: NewestTickets,
  reach: SearchReach,
): Promise<SearchPart> {
  const among: Among = (part, most) => filterTicketsByMessages(db, search, part, most)
  const first = await newest.first(reach.first)
  const found = await among(first, LIMITS.searchResults)
  if (isEnough(found)) return toWhole(found)
  if (first.length < reach.first && (await areFullyRead(db, first))) return toWhole(found)
  // Signs without a letter or figure stand in no index.
  const isIndexed = search.words.some(word => /[\p{L}\p{N}]{2}/u.test(word))
  const expected = isIndexed ? await estimateMatches(db, search, newest, reach) : Number.POSITIVE_INFINITY
  const isRare = expected <= reach.rare
  const people = isRare ? null : await findFewContacts(db, search, reach.fewPeople)
  const theirs = people && (await findContactTicketsByMessages(db, search, people))
  if (theirs) return toWhole(theirs)
  const lookUp = createLookUp(db, search, expected, reach)
  // Not once in the first of them: the expectation cannot be far wrong.
  const rare = isRare && found.length === 0 ? await lookUp() : null
  if (rare) return toWhole(rare)
  const sample = isRare ? reach.sample : 2 * reach.sample
  const likely = likelyWithin(found, sample, reach)
  const near = await searchOlder(await newest.first(likely), reach.first, found, among)
  if (isEnough(near)) return toWhole(near)
  const some = await searchOlder(await newest.first(sample), likely, near, among)
  if (isEnough(some)) return toWhole(some)
  // An expectation may be far too low or too high; the newest show it.
  const perhaps = furtherWalk(some, sample) > reach.shortWalk ? await lookUp() : null
  if (perhaps) return toWhole(perhaps)
  const tickets = await newest.first(reach.walk)
  const all = await searchOlder(tickets, sample, some, among)
  if (isEnough(all)) return toWhole(all)
  if (tickets.length < reach.walk && (await areFullyRead(db, tickets))) return toWhole(all)
  const rest = (await lookUp()) ?? (await findAmongMany(db, search, reach))
  return rest ? toWhole(rest) : cutAtLastRead(db, tickets, all)
}

/** Tickets of contacts with such a name or number; without words all that the filters leave. */
export async function findByNames(
  db: Db,
  search: TicketSearch,
  newest: NewestTickets,
  reach: SearchReach,
): Promise<SearchPart> {
  const among: Among = (part, most) => filterTickets(db, search, part, most)
  const found = await among(await newest.first(reach.first), LIMITS.searchResults)
  if (isEnough(found)) return toWhole(found)
  // Seldom among the first: few may be called so, and a walk to the end would hardly find enough.
  const isSeldom = found.length * (reach.walk / reach.first) < LIMITS.searchResults
  const called = search.text ? isSeldom && !search.contact && { ...search, contact: search.text } : search
  const people = called && (await findFewContacts(db, called, reach.fewPeople))
  if (people) return toWhole(await findContactTickets(db, search, people))
  const likely = isSeldom ? reach.walk : likelyWithin(found, reach.walk, reach)
  const some = await searchOlder(await newest.first(likely), reach.first, found, among)
  if (isEnough(some)) return toWhole(some)
  const tickets = await newest.first(reach.walk)
  const all = await searchOlder(tickets, likely, some, among)
  return isEnough(all) || tickets.length < reach.walk ? toWhole(all) : { ids: all, end: newest.end }
}

/** The next stretch: whatever an index can tell stood on the first page. */
export async function findFurtherByMessages(
  db: Db,
  search: TicketSearch,
  newest: NewestTickets,
  reach: SearchReach,
): Promise<SearchPart> {
  const tickets = await newest.first(reach.walk)
  const ids = await filterTicketsByMessages(db, search, tickets, LIMITS.searchResults)
  const isWhole = isEnough(ids) || (tickets.length < reach.walk && (await areFullyRead(db, tickets)))
  return isWhole ? toWhole(ids) : cutAtLastRead(db, tickets, ids)
}

export async function findFurtherByNames(
  db: Db,
  search: TicketSearch,
  newest: NewestTickets,
  reach: SearchReach,
): Promise<SearchPart> {
  const tickets = await newest.first(reach.walk)
  const ids = await filterTickets(db, search, tickets, LIMITS.searchResults)
  return isEnough(ids) || tickets.length < reach.walk ? toWhole(ids) : { ids, end: newest.end }
}

async function areFullyRead(db: Db, tickets: readonly number[]): Promise<boolean> {
  return tickets.length === 0 || (await findLastRead(db, tickets))?.place === tickets.length
}

/** Behind very long conversations a walk ends early; what it found there by parts comes again with the next page. */
async function cutAtLastRead(db: Db, tickets: readonly number[], found: readonly number[]): Promise<SearchPart> {
  const last = await findLastRead(db, tickets)
  const read = new Set(tickets.slice(0, last?.place ?? 0))
  return { ids: found.filter(id => read.has(id)), end: last && { text: last.at, id: last.id } }
}

async function findAmongMany(db: Db, search: TicketSearch, reach: SearchReach): Promise<number[] | null> {
  const people = await findFewContacts(db, search, reach.manyPeople)
  return people && findContactTicketsByMessages(db, search, people)
}

/** Asks the index for what is expected to be rare, and no more once it was not. */
function createLookUp(db: Db, search: TicketSearch, expected: number, reach: SearchReach) {
  let isWorthIt = expected <= reach.perhapsRare
  return async (): Promise<number[] | null> => {
    const ids = isWorthIt ? await findTicketsByMessages(db, search, reach.perhapsRare) : null
    isWorthIt = ids !== null
    return ids
  }
}

/**
 * About how many messages hold the words, at least as Postgres' statistics tell. Of very many messages these know a word of one in fifty
 * as little as one that nobody wrote; where a tag or a contact leaves few of the newest tickets, the others show it.
 */
async function estimateMatches(
  db: Db,
  search: TicketSearch,
  newest: NewestTickets,
  reach: SearchReach,
): Promise<number> {
  const expected = await estimateMessageCount(db, search)
  if (expected > reach.rare || !(search.tagIds || search.contact)) return expected
  const anyones = await filterTicketsByMessages(
    db,
    { ...search, tagIds: null, contact: null },
    await newest.first(reach.sample),
    1,
  )
  return anyones.length === 0 ? expected : reach.perhapsRare + 1
}

/** So many more tickets have to be walked, as those that were found promise; there may be none. */
function furtherWalk(found: readonly number[], walked: number): number {
  return found.length === 0 ? Number.POSITIVE_INFINITY : (walked * (LIMITS.searchResults - found.length)) / found.length
}

/** What was found in the tickets before `from`, and what there is behind it. */
async function searchOlder(
  tickets: readonly number[],
  from: number,
  found: readonly number[],
  among: Among,
): Promise<number[]> {
  const rest = tickets.slice(from)
  return rest.length === 0 ? [...found] : [...found, ...(await among(rest, LIMITS.searchResults - found.length))]
}

/** Twice as far as the first of them promise, and no further than `most`. */
function likelyWithin(found: readonly number[], most: number, reach: SearchReach): number {
  return Math.min(most, Math.ceil((2 * reach.first * LIMITS.searchResults) / found.length))
}

function toWhole(ids: readonly number[]): SearchPart {
  return { ids, end: null }
}

function isEnough(found: readonly number[]): boolean {
  return found.length >= LIMITS.searchResults
}
