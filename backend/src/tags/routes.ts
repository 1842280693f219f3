import type { Tag } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import type { Db } from '../database/client.ts'
import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'
import { addTag } from './add.ts'
import { tags } from './table.ts'

export function tagRoutes(parts: Parts): Route[] {
  return [
    serve('GET /tag', () => listTags(parts.db)),
    serve('POST /tag', ({ session, body }) => addTag(parts, session, body)),
  ]
}

/** All tags, by name. */
function listTags(db: Db): Promise<Tag[]> {
  const { id, name, color } = tags
  return db.select({ id, name, color }).from(tags).orderBy(sql`f_norm(${name})`, id)
}
