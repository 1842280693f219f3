// Rows of a preset that are as it made them, and that nobody uses.
import { and, eq, inArray, isNotNull, notExists } from 'drizzle-orm'
import { questions } from '../../desk/bot-questions/table.ts'
import { connectionQueues, queues, userQueues } from '../../desk/queues/table.ts'
import { quickAnswers } from '../../desk/quick-answers/table.ts'
import { contactTags, tags } from '../../desk/tags/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import type { Db } from '../../platform/database/client.ts'
import type { PresetRow } from './table.ts'

const TABLES = { queue: queues, quickAnswer: quickAnswers, question: questions, tag: tags }

/** Of these rows the unused ones, in their order. */
export async function findUnusedRows(db: Db, rows: readonly PresetRow[]): Promise<PresetRow[]> {
  const unused = await Promise.all([
    findUnusedQueues(db, rows),
    findUnusedTags(db, rows),
    findUnchanged(db, rows, 'quickAnswer'),
    findUnchanged(db, rows, 'question'),
  ])
  const keys = new Set(unused.flat().map(({ kind, id }) => `${kind} ${id}`))
  return rows.filter(({ kind, id }) => keys.has(`${kind} ${id}`))
}

async function findUnchanged(db: Db, rows: readonly PresetRow[], kind: PresetRow['kind']): Promise<PresetRow[]> {
  const made = rows.filter(row => row.kind === kind)
  const ids = made.map(({ id }) => id)
  const table = TABLES[kind]
  const now = await db.select({ id: table.id, version: table.version }).from(table).where(inArray(table.id, ids))
  return made.filter(({ id, version }) => now.some(row => row.id === id && row.version === version))
}

async function findUnusedQueues(db: Db, rows: readonly PresetRow[]): Promise<PresetRow[]> {
  const made = await findUnchanged(db, rows, 'queue')
  const people = db.select().from(userQueues).where(eq(userQueues.queueId, queues.id))
  const served = db.select().from(connectionQueues).where(eq(connectionQueues.queueId, queues.id))
  const held = db
    .select()
    .from(tickets)
    .where(and(isNotNull(tickets.queueId), eq(tickets.queueId, queues.id)))
  const ids = made.map(({ id }) => id)
  const free = await db
    .select({ id: queues.id })
    .from(queues)
    .where(and(inArray(queues.id, ids), notExists(people), notExists(served), notExists(held)))
  return made.filter(({ id }) => free.some(row => row.id === id))
}

async function findUnusedTags(db: Db, rows: readonly PresetRow[]): Promise<PresetRow[]> {
  const made = await findUnchanged(db, rows, 'tag')
  const ids = made.map(({ id }) => id)
  const given = await db
    .selectDistinct({ id: contactTags.tagId })
    .from(contactTags)
    .where(inArray(contactTags.tagId, ids))
  return made.filter(({ id }) => !given.some(row => row.id === id))
}
