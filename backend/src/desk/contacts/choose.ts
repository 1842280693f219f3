// Contacts to choose one of: first whom the letters mean, as the pages rank them (`sortByMatch`), however many others hold them too.
import { isIndexed, parseContactSearch } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { toLikePattern } from '../../platform/http/paging.ts'
import {
  type ContactListPage,
  type ContactPosition,
  findContactPage,
  foldWords,
  LETTER_INDEX_PLAN,
  MOST_INDEXED,
  WALK_LENGTH,
} from './search.ts'

interface NameQuery {
  /** As they were written, and folded, the longest first. */
  readonly written: readonly string[]
  readonly words: readonly string[]
  readonly withGroups: boolean
  readonly most: number
}

/** A page of those whose name begins with the text, then in whose names words do, then in whom it stands anywhere; one more where there is more. */
export async function findContactsToChoose(
  db: Db,
  text: string,
  { bounds, withGroups }: ContactListPage,
): Promise<readonly ContactPosition[]> {
  const most = bounds.skip + bounds.limit + 1
  const written = parseContactSearch(text).words
  const query = { written, words: await foldWords(db, written), withGroups, most }
  const anywhere = { bounds: { skip: 0, limit: most - 1, after: null }, withGroups }
  const found = new Map<number, ContactPosition>()
  for (const find of [
    () => listBeginning(db, query),
    () => walkWords(db, query),
    () => lookUpWords(db, query),
    async () => (await findContactPage(db, text, anywhere, false)).rows,
  ]) {
    for (const row of await find()) if (!found.has(row.id)) found.set(row.id, row)
    // What was found again takes no place: whoever finds as many as are wanted has found enough.
    if (found.size >= most) break
  }
  return [...found.values()].slice(bounds.skip, most)
}

/** A stretch of the list. */
async function listBeginning(db: Db, { written, withGroups, most }: NameQuery): Promise<readonly ContactPosition[]> {
  if (written.length === 0) return []
  const text = written.join(' ')
  return queryWithPlan<ContactPosition>(
    db,
    RANGES_ONLY,
    sql => sql`
      select c.id, c.search_name as name from contact c
      where c.merged_into is null and (${withGroups}::boolean or not c.is_group)
        and c.search_name collate "C" >= f_norm(${text}) and c.search_name collate "C" < f_norm(${text}) || U&'\\+10FFFF'
      order by c.search_name collate "C", c.id limit ${most}`,
  )
}

/** Among the first of the list: what many are called stands there. */
async function walkWords(db: Db, { words, withGroups, most }: NameQuery): Promise<readonly ContactPosition[]> {
  if (words.length === 0) return []
  return queryWithPlan<ContactPosition>(
    db,
    RANGES_ONLY,
    sql => sql`
      select w.id, w.name from (
        select c.id, c.search_name collate "C" as name from contact c
        where c.merged_into is null and (${withGroups}::boolean or not c.is_group)
        order by c.search_name collate "C", c.id limit ${WALK_LENGTH}) w
      where ' ' || w.name like all(${words.map(toWordPattern)}::text[])
      order by w.name, w.id limit ${most}`,
  )
}

/** What the index of letters knows, and who begins with one of the words. */
async function lookUpWords(db: Db, { words, withGroups, most }: NameQuery): Promise<readonly ContactPosition[]> {
  const key = words.find(isIndexed)
  if (key === undefined) return []
  const patterns = words.map(toWordPattern)
  return queryWithPlan<ContactPosition>(
    db,
    LETTER_INDEX_PLAN,
    sql => sql`
      with inside as materialized (
        select c.id, c.search_name as name from contact c
        where c.merged_into is null and (${withGroups}::boolean or not c.is_group)
          and substr(c.search_text, 2) like ${toWordPattern(key)} and ' ' || c.search_name like all(${patterns}::text[]) limit ${MOST_INDEXED}),
      beginning as (
        select r.id, r.name from unnest(${[...words]}::text[]) w(word) cross join lateral (
          select c.id, c.search_name as name from contact c
          where c.merged_into is null and (${withGroups}::boolean or not c.is_group)
            and c.search_name collate "C" >= w.word and c.search_name collate "C" < w.word || U&'\\+10FFFF'
          order by c.search_name collate "C", c.id limit ${WALK_LENGTH}) r
        where ' ' || r.name like all(${patterns}::text[]))
      select f.id, f.name from (select id, name from inside union select id, name from beginning) f
      order by f.name collate "C", f.id limit ${most}`,
  )
}

/** A LIKE pattern for a folded word at the beginning of a word, where a space stands before the name. */
function toWordPattern(word: string): string {
  return `% ${toLikePattern(word).slice(1)}`
}
