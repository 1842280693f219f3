// Quick answers in the form of the contract.
import type { QuickAnswer } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { mediaUrl } from '../messages/present.ts'

interface Row {
  id: number
  shortcut: string
  message: string
  media_id: string | null
  media_type: string | null
  media_name: string | null
  version: string
}

/** Quick answers by id, in the order of the ids given. */
export async function loadQuickAnswers(db: Db | Tx, ids: readonly number[]): Promise<QuickAnswer[]> {
  if (ids.length === 0) return []
  const rows = await sqlOf(db)<Row[]>`
    select id, shortcut, message, media_id, media_type, media_name, version from quick_answer where id = any(${[...ids]}::int[])`
  const byId = new Map(rows.map(row => [row.id, quickAnswerOf(row)]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

function quickAnswerOf(row: Row): QuickAnswer {
  return {
    id: row.id,
    shortcut: row.shortcut,
    message: row.message,
    mediaUrl: row.media_id === null ? null : mediaUrl(row.media_id),
    mediaType: row.media_type,
    mediaName: row.media_name,
    version: Number(row.version),
  }
}
