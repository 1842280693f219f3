// Connections, people, queues, tags and quick answers of the other desk: what has the same name here is that one, and stays as it is.
import { listPhoneVariants } from '@balcao/contract'
import { inArray, isNull } from 'drizzle-orm'
import { connections } from '../../desk/connections/table.ts'
import { queues } from '../../desk/queues/table.ts'
import { quickAnswers } from '../../desk/quick-answers/table.ts'
import { tags } from '../../desk/tags/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hashEmail, seal } from '../../platform/seal.ts'
import { users } from '../../policy/users/table.ts'
import { findLinks, type RecordLink } from './links.ts'
import type { Records } from './records.ts'
import { createLinkedStep, createStep, type MoveInWriting, type StagedEntry } from './writing.ts'

/** The connection of the same number, else of the same name, else the default one. */
export const connectionStep = createLinkedStep('connection', async (tx, { connectionId }, rows) => {
  const own = await tx
    .select({ id: connections.id, name: connections.name, number: connections.number })
    .from(connections)
    .where(isNull(connections.deletedAt))
  return rows.map(({ key, record: { name, number } }) => {
    const numbers = number === null ? [] : listPhoneVariants(number)
    const same = own.find(one => one.number !== null && numbers.includes(one.number))
    const named = own.find(one => fold(one.name) === fold(name))
    return { key, ownId: (same ?? named)?.id ?? connectionId, isNew: false }
  })
})

/** People come as attendants who may not sign in: an administrator lets them in, and gives each a password. */
export const userStep = createLinkedStep('user', async (tx, { parts: { config }, passwordHash }, rows) => {
  const people = rows.map(({ key, record }) => ({ key, ...record, emailHash: hashEmail(config.dataKey, record.email) }))
  const known = await findUsers(tx, people)
  const missing = [
    ...new Map(people.filter(one => !known.has(one.emailHash)).map(one => [one.emailHash, one])).values(),
  ]
  if (missing.length > 0)
    await tx
      .insert(users)
      .values(
        missing.map(({ name, email, emailHash }) => ({
          ...{ name, emailHash, passwordHash, emailSealed: seal(config.dataKey, email) },
          ...{ active: false, mustChangePassword: true },
        })),
      )
      .onConflictDoNothing()
  return linkNamed(people, 'emailHash', known, await findUsers(tx, people))
})

async function findUsers(tx: Tx, people: readonly { readonly emailHash: string }[]): Promise<Map<string, number>> {
  if (people.length === 0) return new Map()
  const rows = await tx
    .select({ id: users.id, emailHash: users.emailHash })
    .from(users)
    .where(inArray(users.emailHash, [...new Set(people.map(({ emailHash }) => emailHash))]))
  return new Map(rows.map(({ id, emailHash }) => [emailHash, id]))
}

export const queueStep = createLinkedStep('queue', async (tx, _, rows) => {
  const own = await tx.select({ id: queues.id, name: queues.name, color: queues.color }).from(queues)
  const colors = new Set(own.map(({ color }) => color.toLowerCase()))
  return linkByName(rows, own, missing => {
    const values = missing.map(({ name, color }) => ({ name, color: takeColor(colors, color) }))
    return tx.insert(queues).values(values).returning({ id: queues.id, name: queues.name })
  })
})

/** Each queue has a colour of its own: the nearest that is free. */
function takeColor(taken: Set<string>, wanted: string): string {
  let color = wanted
  for (let tries = 1; taken.has(color); tries++) {
    const other = (Number.parseInt(wanted.slice(1), 16) + tries * 0x10_30_50) % 0x1_00_00_00
    color = `#${other.toString(16).padStart(6, '0')}`
  }
  taken.add(color)
  return color
}

/** People who came with this move get their queues; whose people were here already have what they have. */
export const userQueueStep = createStep('userQueue', async (tx, writing, rows) => {
  const pairs = await linkPairs(tx, writing, rows, 'user', 'queue')
  await getSql(tx)`
    insert into user_queue (user_id, queue_id)
    select p.one, p.other from unnest(${pairs.map(pair => pair.one)}::int[], ${pairs.map(pair => pair.other)}::int[]) as p(one, other)
    where exists (select 1 from move_in_link l where l.move_in_id = ${writing.id} and l.kind = 'user' and l.own_id = p.one and l.is_new)
    on conflict do nothing`
  return {}
})

export const tagStep = createLinkedStep('tag', async (tx, _, rows) => {
  const own = await tx.select({ id: tags.id, name: tags.name }).from(tags)
  return linkByName(rows, own, missing => {
    const values = missing.map(({ name, color }) => ({ name, color }))
    return tx.insert(tags).values(values).returning({ id: tags.id, name: tags.name })
  })
})

/** They become the team's. A shortcut that the team has stays what it is. */
export const quickAnswerStep = createLinkedStep('quickAnswer', async (tx, _, rows) => {
  if (rows.length === 0) return []
  const values = [...new Map(rows.map(({ record }) => [record.shortcut, record])).values()]
  const made = await tx
    .insert(quickAnswers)
    .values(values.map(({ shortcut, message }) => ({ shortcut, message })))
    .onConflictDoNothing()
    .returning({ id: quickAnswers.id, shortcut: quickAnswers.shortcut })
  const ids = new Map(made.map(({ id, shortcut }) => [shortcut, id]))
  return rows.flatMap(({ key, record }) => {
    const ownId = ids.get(record.shortcut)
    ids.delete(record.shortcut)
    return ownId === undefined ? [] : [{ key, ownId, isNew: true }]
  })
})

/** The own ids of both of a pair, as far as both came. */
export async function linkPairs(
  tx: Tx,
  writing: MoveInWriting,
  rows: readonly StagedEntry<'userQueue' | 'contactTag' | 'ticketTag'>[],
  first: 'user' | 'tag',
  second: 'queue' | 'contact' | 'ticket',
): Promise<{ one: number; other: number }[]> {
  const ones = await findLinks(
    tx,
    writing,
    first,
    rows.map(({ record }) => record.one),
  )
  const others = await findLinks(
    tx,
    writing,
    second,
    rows.map(({ record }) => record.other),
  )
  return rows.flatMap(({ record }) => {
    const [one, other] = [ones.get(record.one), others.get(record.other)]
    return one !== undefined && other !== undefined ? [{ one, other }] : []
  })
}

interface NamedRow {
  readonly id: number
  readonly name: string
}

/** What has the same name here is that one; the others are made, each name once. */
async function linkByName<K extends 'queue' | 'tag'>(
  rows: readonly StagedEntry<K>[],
  own: readonly NamedRow[],
  insert: (missing: readonly Records[K][]) => PromiseLike<readonly NamedRow[]>,
): Promise<RecordLink[]> {
  const known = new Map(own.map(({ id, name }) => [fold(name), id]))
  const named = rows.map(({ key, record }) => ({ key, record, folded: fold(record.name) }))
  const missing = new Map(named.flatMap(one => (known.has(one.folded) ? [] : [[one.folded, one.record] as const])))
  const made = missing.size > 0 ? await insert([...missing.values()]) : []
  const now = new Map([...known, ...made.map(({ id, name }) => [fold(name), id] as const)])
  return linkNamed(
    named.map(({ key, folded }) => ({ key, folded })),
    'folded',
    known,
    now,
  )
}

/** Each record with what has its name now; the first that brought a new name made it. */
function linkNamed<N extends string>(
  rows: readonly ({ readonly key: string } & Readonly<Record<N, string>>)[],
  name: N,
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): RecordLink[] {
  const seen = new Set(before.keys())
  return rows.flatMap(row => {
    const ownId = now.get(row[name])
    const isNew = !seen.has(row[name])
    seen.add(row[name])
    return ownId === undefined ? [] : [{ key: row.key, ownId, isNew }]
  })
}

function fold(name: string): string {
  return name.trim().toLowerCase()
}
