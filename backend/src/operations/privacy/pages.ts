// Every table, page by page, for what is left of a person's numbers: also of those that nobody thought of when this was written. What must
// not change under those who use it is gone through in its own way, or left out with its reason.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { eraseMentions } from './mentions.ts'
import type { ErasureBatch, PageEraser, RunningErasure } from './running.ts'
import { STORES } from './stores.ts'
import type { ErasureMark } from './table.ts'

/** So many pages of 8 kB are one batch. */
const PAGES = 512
/** What changes meanwhile may stand on a page that was looked at: all is gone through again, until nothing is found. */
const PASSES = 3

/** Tables that are not touched, and why. */
const LEFT: Readonly<Record<string, string>> = {
  privacy_erasure: 'says what is looked for; forgotten at the end',
  contact_identity: 'those of the person are gone; what is there is of others',
  contact_channel: 'as above',
  ticket: 'its last words follow its messages',
  user: 'the team',
  setting: "the company's own",
  whatsapp: "the company's own numbers",
  api_token: 'hashes',
  refresh_token: 'hashes',
  socket_token: 'hashes',
  push_subscription: "the team's browsers",
}

export async function eraseFromPages(
  tx: Tx,
  running: RunningErasure,
  mark: Extract<ErasureMark, { step: 'pages' }>,
): Promise<ErasureBatch> {
  const sql = getSql(tx)
  const [at] = await sql<{ name: string; quoted: string }[]>`
    select c.relname::text as name, quote_ident(c.relname) as quoted from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${Object.keys(LEFT)}::text[])
      and (c.relname = ${mark.table} and pg_relation_size(c.oid) / current_setting('block_size')::bigint > ${mark.page}
        or c.relname > ${mark.table})
    order by c.relname limit 1`
  if (!at) {
    const again = mark.found > 0 && mark.pass < PASSES
    return { next: again ? { step: 'pages', table: '', page: 0, pass: mark.pass + 1, found: 0 } : { step: 'end' } }
  }
  const page = at.name === mark.table ? mark.page : 0
  const stretch = { from: `(${page},0)`, until: `(${page + PAGES},0)` }
  const places = await (STORES[at.name] ?? createMentionEraser(at.quoted))(tx, running, stretch)
  const next = { ...mark, table: at.name, page: page + PAGES, found: mark.found + places }
  return { next, counts: { places } }
}

function createMentionEraser(table: string): PageEraser {
  return (tx, running, stretch) => eraseMentions(tx, table, running, stretch)
}
