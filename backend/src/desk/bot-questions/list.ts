// Questions of the bot in the order of its menu: as the page shows them, and as the bot knows them.
import { type BotQuestion, MOST_QUESTIONS, type Question } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { questions } from './table.ts'

/** All questions. */
export function listQuestions(db: Db | Tx): Promise<Question[]> {
  return readQuestions(db, null)
}

/** Questions by id, in the order of the ids given. */
export async function loadQuestions(db: Db | Tx, ids: readonly number[]): Promise<Question[]> {
  return sortByIds(ids, await readQuestions(db, [...ids]))
}

/** What the bot answers: as many as have numbers. */
export async function loadBotQuestions(db: Db | Tx): Promise<BotQuestion[]> {
  const { pergunta: text, resposta: answer, queueId, openTicket: opensTicket, position, id } = questions
  return db.select({ text, answer, queueId, opensTicket }).from(questions).orderBy(position, id).limit(MOST_QUESTIONS)
}

/** Null: all of them. */
async function readQuestions(db: Db | Tx, ids: number[] | null): Promise<Question[]> {
  const rows = await getSql(db)<Row[]>`
    select p.id, p.pergunta, p.resposta, p.queue_id as "queueId", p.open_ticket as "openTicket", p.position as order,
      p.version::float8 as version, q.name as "queueName", q.color as "queueColor"
    from question p left join queue q on q.id = p.queue_id
    where ${ids}::int[] is null or p.id = any(${ids}::int[]) order by p.position, p.id`
  return rows.map(({ queueName, queueColor, ...row }) => ({
    ...row,
    queue: row.queueId === null ? null : { id: row.queueId, name: queueName ?? '', color: queueColor ?? '' },
  }))
}

interface Row extends Omit<Question, 'queue'> {
  readonly queueName: string | null
  readonly queueColor: string | null
}
