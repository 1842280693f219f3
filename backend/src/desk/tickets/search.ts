// Finding tickets by contact, number, message, person or tag: what the parts of a search found (search-parts.ts) as one page, and where the next
// one goes on. The policy is part of every statement (docs/decisions/0095).
import { LIMITS, type QueryParams, type ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { parseSearchText } from '../../platform/http/paging.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'
import { findNewestTickets, parseQueueIds } from './list.ts'
import { selectTicketKinds } from './list-branches.ts'
import { loadTickets } from './present.ts'
import { foldSearchWords, type TicketSearch } from './search-conditions.ts'
import { findMessageHits } from './search-hits.ts'
import { NewestTickets, parseSearchPlace, type SearchPlace, toSearchCursor, type WalkEnd } from './search-newest.ts'
import {
  findByMessages,
  findByNames,
  findFurtherByMessages,
  findFurtherByNames,
  SEARCH_REACH,
  type SearchPart,
} from './search-parts.ts'
import { filterTickets, filterTicketsByMessages, findFollowedTickets, mergeNewest } from './search-walk.ts'

type Query = QueryParams<'GET /tickets/filter'>
type Page = ResponseBody<'GET /tickets/filter'>

const LIST_STATUSES = ['open', 'pending', 'closed', 'paused', 'bot', 'group', 'nps', 'closedGroup'] as const
const NOTHING: SearchPart = { ids: [], end: null }

/** What both parts of a search found. */
interface SearchParts {
  readonly messages: SearchPart
  readonly names: SearchPart
}

/**
 * At most 50 tickets the viewer may see, newest activity first (spec 1 §5 "Search"): those whose contact is called so, and those
 * where somebody said so, with the newest such message. Texts need three characters; every word must be there. Where `hasMore` is true a
 * page may hold few: it ends where enough tickets were looked through.
 */
export async function searchTickets(db: Db, session: Session, query: Query, reach = SEARCH_REACH): Promise<Page> {
  const search = await parseSearch(db, session, query)
  const isNothing = !search.text && !search.message && !search.contact && !search.userIds && !search.tagIds
  if (isNothing && !search.choice.queueIds) throw createFieldError('searchParam', 'call.searchLength')
  const place = parseSearchPlace(query.cursor)
  const walkFrom = (after: WalkEnd) =>
    new NewestTickets((limit, from) => findNewestTickets(db, session, search.choice, limit, from), after)
  const followed = findFollowedTickets(db, search)
  if (place) {
    const [messages, names] = await Promise.all([
      place.messages ? findFurtherByMessages(db, search, walkFrom(place.messages), reach) : NOTHING,
      place.names ? findFurtherByNames(db, search, walkFrom(place.names), reach) : NOTHING,
    ])
    return present(db, search, removeShown({ messages, names }, await followed))
  }
  const newest = walkFrom(null)
  const [messages, names] = await Promise.all([
    search.text || search.message ? findByMessages(db, search, newest, reach) : NOTHING,
    search.message ? NOTHING : findByNames(db, search, newest, reach),
  ])
  return present(db, search, await addFollowed(db, search, await followed, { messages, names }))
}

/** The few tickets a person follows stand in no list: the first page looks them through by themselves. */
async function addFollowed(
  db: Db,
  search: TicketSearch,
  followed: readonly number[],
  { messages, names }: SearchParts,
): Promise<SearchParts> {
  const most = LIMITS.searchResults
  if (followed.length === 0) return { messages, names }
  const [byWords, byName] = await Promise.all([
    search.text || search.message ? filterTicketsByMessages(db, search, followed, most) : [],
    search.message ? [] : filterTickets(db, search, followed, most),
  ])
  return {
    messages: { ...messages, ids: await mergeNewest(db, messages.ids, byWords) },
    names: { ...names, ids: await mergeNewest(db, names.ids, byName) },
  }
}

/** Without the tickets a person follows: they stood on the first page. */
function removeShown({ messages, names }: SearchParts, followed: readonly number[]): SearchParts {
  const remove = (part: SearchPart): SearchPart => ({ ...part, ids: part.ids.filter(id => !followed.includes(id)) })
  return { messages: remove(messages), names: remove(names) }
}

/** What a list shows while something is typed above it (spec 1 §7 `GET /tickets`). Who may not read messages finds none by what they say. */
export async function searchTicketPage(
  db: Db,
  session: Session,
  { searchParam, showAll, queueIds, status, cursor }: QueryParams<'GET /tickets'>,
): Promise<ResponseBody<'GET /tickets'>> {
  const words = hasScope(session, 'readMessages') ? { searchParam } : { searchContact: searchParam }
  const { tickets, hasMore, count, nextCursor } = await searchTickets(db, session, {
    ...{ ...words, showAll, queueIds, status, cursor },
  })
  return { tickets, hasMore, count, nextCursor }
}

/** Both kinds share the 50 places; neither takes more than half from the other. A full page is all there is: who wants others asks more narrowly. */
async function present(db: Db, search: TicketSearch, { messages, names }: SearchParts): Promise<Page> {
  const most = LIMITS.searchResults
  const onlySaid = messages.ids.filter(id => !names.ids.includes(id))
  const shownNamed = names.ids.slice(0, most - Math.min(onlySaid.length, most / 2))
  const shown = new Set([...shownNamed, ...onlySaid.slice(0, most - shownNamed.length)])
  const ids = [...shown]
  const [views, hits] = await Promise.all([
    loadTickets(db, ids),
    findMessageHits(
      db,
      messages.ids.filter(id => shown.has(id)),
      search.words,
    ),
  ])
  const place = { messages: messages.end, names: names.end }
  const nextCursor = ids.length < most ? toSearchCursor(place) : null
  return {
    tickets: ids.flatMap(id => views.get(id)?.ticket ?? []),
    hits,
    named: search.text ? shownNamed : [],
    hasMore: nextCursor !== null,
    count: ids.length,
    nextCursor,
    searchedTo: nextCursor && findNearestEnd(place),
  }
}

/** So far back both parts have looked. */
function findNearestEnd({ messages, names }: SearchPlace): string | null {
  const times = [messages, names].flatMap(end => end?.text ?? [])
  return times.toSorted().at(-1) ?? null
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
