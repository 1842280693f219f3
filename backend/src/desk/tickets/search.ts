// Finding tickets by contact, number, message, person or tag. First the newest tickets a viewer may see are looked through, in the
// order of the lists: a common word is found there many times. Only what is not common goes to the trigram index, which knows
// all that is rare at once; which of both a word is, Postgres' statistics and the first of the newest tickets tell. The policy is part of both (docs/decisions/0095).
import { LIMITS, type MessageHit, type QueryParams, type ResponseBody, type Ticket } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { parseSearchText } from '../../platform/http/paging.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { findNewestTickets, parseQueueIds, type TicketSlice } from './list.ts'
import { selectTicketKinds } from './list-branches.ts'
import { loadTickets } from './present.ts'
import { foldSearchWords, type TicketSearch } from './search-conditions.ts'
import { findMessageHits } from './search-hits.ts'
import {
  estimateMessageCount,
  findFewContacts,
  findTicketsByFilters,
  findTicketsByMessages,
  findTicketsByNames,
} from './search-index.ts'
import {
  areFullyRead,
  filterTickets,
  filterTicketsByMessages,
  findContactTickets,
  findContactTicketsByMessages,
  findFollowedTickets,
  mergeNewest,
} from './search-walk.ts'

type Query = QueryParams<'GET /tickets/filter'>

export interface TicketSearchResult {
  readonly tickets: Ticket[]
  readonly hits: MessageHit[]
  readonly named: number[]
}

const LIST_STATUSES = ['open', 'pending', 'closed', 'paused', 'bot', 'group', 'nps', 'closedGroup'] as const
/** How many of the newest tickets are looked through one by one; the first of them are enough for a common word. */
const FIRST = 250
const WALK = 4000
/** So many of them tell whether a walk will find enough; twice as many of a word that is not expected to be rare. */
const SAMPLE = 500
/** So many messages the index gives sooner than a walk ends; up to ten times as many are expected of words that are as rare. */
const RARE = 5000
const PERHAPS_RARE = 50_000
/** A walk that promises to be no longer ends sooner than the index of a word that is less rare than it is expected to be. */
const SHORT_WALK = 12_000
/** So many contacts' tickets are sorted sooner than more messages than that are read. */
const MANY_PEOPLE = 20_000

/**
 * At most 50 tickets the viewer may see, newest activity first (spec 1 §5 "Search"): those whose contact is called so, and those
 * where somebody said so, with the newest such message. Texts need three characters; every word must be there.
 */
export async function searchTickets(db: Db, session: Session, query: Query): Promise<TicketSearchResult> {
  const search = await parseSearch(db, session, query)
  const isNothing = !search.text && !search.message && !search.contact && !search.userIds && !search.tagIds
  if (isNothing && !search.choice.queueIds) throw createFieldError('searchParam', 'call.searchLength')
  const newest = new Newest((limit, after) => findNewestTickets(db, session, search.choice, limit, after))
  const [byMessage, named, followed] = await Promise.all([
    search.text || search.message ? whoSaid(db, search, newest) : [],
    search.message ? [] : whoIsCalled(db, search, newest),
    findFollowedTickets(db, search),
  ])
  return present(db, search, ...(await addFollowed(db, search, followed, byMessage, named)))
}

/** The few tickets a person follows stand in no list: each search looks them through by themselves. */
async function addFollowed(
  db: Db,
  search: TicketSearch,
  followed: number[],
  byMessage: number[],
  named: number[],
): Promise<[number[], number[]]> {
  const most = LIMITS.searchResults
  if (followed.length === 0) return [byMessage, named]
  const [byWords, byName] = await Promise.all([
    search.text || search.message ? filterTicketsByMessages(db, search, followed, most) : [],
    search.message ? [] : filterTickets(db, search, followed, most),
  ])
  return Promise.all([mergeNewest(db, byMessage, byWords), mergeNewest(db, named, byName)])
}

/** What a list shows while something is typed above it: all that is found, on one page (spec 1 §7 `GET /tickets`). */
export async function searchTicketPage(
  db: Db,
  session: Session,
  { searchParam, showAll, queueIds, status }: QueryParams<'GET /tickets'>,
): Promise<ResponseBody<'GET /tickets'>> {
  const { tickets } = await searchTickets(db, session, { searchParam, showAll, queueIds, status })
  return { tickets, hasMore: false, count: tickets.length, nextCursor: null }
}

/** The newest tickets of a choice, each asked for once, however many look through them and however far. */
class Newest {
  private known: TicketSlice = { ids: [], end: null }
  private isWhole = false
  private asking: Promise<unknown> = Promise.resolve()

  constructor(private readonly ask: (limit: number, after: TicketSlice['end']) => Promise<TicketSlice>) {}

  first(limit: number): Promise<readonly number[]> {
    const request = this.asking.then(() => this.upTo(limit))
    // Who asked hears of a failure; the next one asks again.
    this.asking = request.catch(() => {})
    return request
  }

  /** Whether a walk has seen every ticket there is. */
  async areAll(): Promise<boolean> {
    return (await this.first(WALK)).length < WALK
  }

  private async upTo(limit: number): Promise<readonly number[]> {
    const missing = limit - this.known.ids.length
    if (missing > 0 && !this.isWhole) {
      const { ids, end } = await this.ask(missing, this.known.end)
      this.known = { ids: [...this.known.ids, ...ids], end }
      this.isWhole = ids.length < missing
    }
    return this.known.ids.slice(0, limit)
  }
}

/** Tickets with a message that holds the words, in the order of the lists. */
async function whoSaid(db: Db, search: TicketSearch, newest: Newest): Promise<number[]> {
  const among: Among = (part, most) => filterTicketsByMessages(db, search, part, most)
  const first = await newest.first(FIRST)
  const found = await among(first, LIMITS.searchResults)
  if (isEnough(found)) return found
  if (first.length < FIRST && (await areFullyRead(db, first))) return found
  // Signs without a letter or figure stand in no index: the newest tickets have to do.
  const isIndexed = search.words.some(word => /[\p{L}\p{N}]{2}/u.test(word))
  const expected = isIndexed ? await estimateMatches(db, search, newest) : Number.POSITIVE_INFINITY
  const isRare = expected <= RARE
  const people = isRare ? null : await findFewContacts(db, search)
  const theirs = people && (await findContactTicketsByMessages(db, search, people))
  if (theirs) return theirs
  // Not once in the first of them: the expectation cannot be far wrong.
  if (isRare && found.length === 0) return findTicketsByMessages(db, search, true)
  const sample = isRare ? SAMPLE : 2 * SAMPLE
  const likely = likelyWithin(found, sample)
  const near = await searchOlder(await newest.first(likely), FIRST, found, among)
  if (isEnough(near)) return near
  const some = await searchOlder(await newest.first(sample), likely, near, among)
  if (isEnough(some)) return some
  // An expectation may be far too low or too high; the newest show it.
  if (expected <= PERHAPS_RARE && furtherWalk(some, sample) > SHORT_WALK) return findTicketsByMessages(db, search, true)
  const all = await searchOlder(await newest.first(WALK), sample, some, among)
  if (isEnough(all) || !isIndexed) return all
  if ((await newest.areAll()) && (await areFullyRead(db, await newest.first(WALK)))) return all
  const many = expected > PERHAPS_RARE ? await findFewContacts(db, search, MANY_PEOPLE) : null
  return (
    (many && (await findContactTicketsByMessages(db, search, many))) ??
    (await walkedOn(db, newest, all, Math.max(expected, SHORT_WALK), among)) ??
    findTicketsByMessages(db, search, expected <= PERHAPS_RARE)
  )
}

/**
 * About how many messages hold the words, at least as Postgres' statistics tell. Of very many messages these know a word of one in fifty
 * as little as one that nobody wrote; where a tag or a contact leaves few of the newest tickets, the others show it.
 */
async function estimateMatches(db: Db, search: TicketSearch, newest: Newest): Promise<number> {
  const expected = await estimateMessageCount(db, search)
  if (expected > RARE || !(search.tagIds || search.contact)) return expected
  const anybodys = await filterTicketsByMessages(
    db,
    { ...search, tagIds: null, contact: null },
    await newest.first(SAMPLE),
    1,
  )
  return anybodys.length === 0 ? expected : PERHAPS_RARE + 1
}

/** So many more tickets have to be walked, as those that were found promise; there may be none. */
function furtherWalk(found: readonly number[], walked: number): number {
  return found.length === 0 ? Number.POSITIVE_INFINITY : (walked * (LIMITS.searchResults - found.length)) / found.length
}

/**
 * The walk behind the first `WALK`, as long as it promises to be over within `most` tickets. Null: it does not, or very long
 * conversations would be left out.
 */
async function walkedOn(
  db: Db,
  newest: Newest,
  found: readonly number[],
  most: number,
  among: Among,
): Promise<number[] | null> {
  if (!(await areFullyRead(db, await newest.first(WALK)))) return null
  let all = [...found]
  for (let walked = WALK; ; walked += WALK) {
    if (walked + furtherWalk(all, walked) > most) return null
    const tickets = await newest.first(walked + WALK)
    if (!(await areFullyRead(db, tickets.slice(walked)))) return null
    all = await searchOlder(tickets, walked, all, among)
    if (isEnough(all) || tickets.length < walked + WALK) return all
  }
}

/** Tickets of contacts with such a name or number; without words all that the filters leave. */
async function whoIsCalled(db: Db, search: TicketSearch, newest: Newest): Promise<number[]> {
  const among: Among = (part, most) => filterTickets(db, search, part, most)
  const found = await among(await newest.first(FIRST), LIMITS.searchResults)
  if (isEnough(found)) return found
  // Seldom among the first: few may be called so, and a walk to the end would hardly find enough.
  const isSeldom = found.length * (WALK / FIRST) < LIMITS.searchResults
  const people = await (search.text
    ? isSeldom && !search.contact && findFewContacts(db, { ...search, contact: search.text })
    : findFewContacts(db, search))
  if (people) return findContactTickets(db, search, people)
  const likely = isSeldom ? WALK : likelyWithin(found, WALK)
  const some = await searchOlder(await newest.first(likely), FIRST, found, among)
  const all = isEnough(some) ? some : await searchOlder(await newest.first(WALK), likely, some, among)
  if (isEnough(all) || (await newest.areAll())) return all
  return search.text ? findTicketsByNames(db, search, search.text) : findTicketsByFilters(db, search)
}

type Among = (part: readonly number[], most: number) => Promise<number[]>

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
function likelyWithin(found: readonly number[], most: number): number {
  return Math.min(most, Math.ceil((2 * FIRST * LIMITS.searchResults) / found.length))
}

function isEnough(found: readonly number[]): boolean {
  return found.length >= LIMITS.searchResults
}

/** Both kinds share the 50 places; neither takes more than half from the other. */
async function present(
  db: Db,
  search: TicketSearch,
  byMessage: number[],
  named: number[],
): Promise<TicketSearchResult> {
  const most = LIMITS.searchResults
  const onlySaid = byMessage.filter(id => !named.includes(id))
  const shownNamed = named.slice(0, most - Math.min(onlySaid.length, most / 2))
  const shown = new Set([...shownNamed, ...onlySaid.slice(0, most - shownNamed.length)])
  const ids = [...shown]
  const [views, hits] = await Promise.all([
    loadTickets(db, ids),
    findMessageHits(
      db,
      byMessage.filter(id => shown.has(id)),
      search.words,
    ),
  ])
  return {
    tickets: ids.flatMap(id => views.get(id)?.ticket ?? []),
    hits,
    named: search.text ? shownNamed : [],
  }
}

/** What a query chooses. Texts need three characters. */
export async function parseSearch(db: Db, session: Session, query: Query): Promise<TicketSearch> {
  const words = async (path: 'searchParam' | 'searchMessage' | 'searchContact') => {
    const text = parseSearchText(path, query[path])
    return text === null ? null : foldSearchWords(db, text)
  }
  const [text, message, contact] = [
    await words('searchParam'),
    await words('searchMessage'),
    await words('searchContact'),
  ]
  const status = LIST_STATUSES.find(each => each === query.status)
  const userIds = session.viewer.profile === 'user' ? null : parseIds(query.searchUser)
  return {
    session,
    choice: {
      kinds: selectTicketKinds(status, undefined),
      showAll: query.showAll === 'true',
      queueIds: parseQueueIds(query.queueIds),
      userIds,
    },
    anyKind: status === undefined,
    text,
    message,
    contact,
    words: message ?? text ?? [],
    userIds,
    tagIds: parseIds(query.searchTag),
  }
}

/** One id or several, however they are written; null when there is none. */
function parseIds(text: string | undefined): number[] | null {
  const ids = text?.match(/\b\d{1,9}\b/g)?.map(Number) ?? []
  return ids.length > 0 ? [...new Set(ids)] : null
}
