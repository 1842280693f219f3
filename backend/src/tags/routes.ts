import type { Tag } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { addTag } from './add.ts'

export function tagRoutes(parts: Parts): Route[] {
  return [
    serve('GET /tag', () => listTags(parts.db)),
    serve('POST /tag', ({ session, body }) => addTag(parts, session, body)),
  ]
}

/** All tags, by name. */
async function listTags(db: Db): Promise<Tag[]> {
  const rows = await sqlOf(db)<Tag[]>`select id, name, color from tag order by f_norm(name), id`
  return rows.map(row => ({ ...row }))
}
