// Who may read a stored file: whoever may see what it belongs to (decisions §2).
import type { Schedule } from '@balcao/contract'
import { canSeeChat, canSeeQuickAnswer, canUseArea } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { getSql } from '../../platform/database/raw.ts'
import { canSeeSchedule } from '../../policy/access/schedules.ts'
import { visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadChatFacts } from '../chats/access.ts'
import { getStarter } from '../jobs/present.ts'
import { isStillAllowed } from '../jobs/rights.ts'
import { jobs } from '../jobs/table.ts'
import { quickAnswers } from '../quick-answers/table.ts'
import type { MediaRow } from './table.ts'

/** Uploads are their owner's; files of messages follow their ticket or chat, until deleted there; pictures are the team's. */
export async function canReadMedia(
  { db }: Pick<Parts, 'db'>,
  session: Session,
  { id, owner, userId, chatId }: MediaRow,
): Promise<boolean> {
  const { viewer, settings } = session
  switch (owner) {
    case 'upload':
      return userId === viewer.id
    case 'contact':
    case 'user':
      return true
    case 'quickAnswer': {
      const [row] = await db.select().from(quickAnswers).where(eq(quickAnswers.mediaId, id))
      return row !== undefined && canSeeQuickAnswer(viewer, row)
    }
    // By a link alone.
    case 'job':
    case 'gone':
      return false
    case 'schedule': {
      const [row] = await getSql(db)<Pick<Schedule, 'userId' | 'program'>[]>`
        select user_id as "userId", program from schedule where media_id = ${id}`
      return (row !== undefined && canSeeSchedule(viewer, row)) || (await isShown(db, session, id))
    }
    case 'send':
      return canUseArea(viewer, 'sends', settings) || (await isShown(db, session, id))
    case 'chat': {
      const facts = chatId === null ? null : await loadChatFacts(db, chatId)
      return facts !== null && canSeeChat(viewer, facts, settings) && (await isInChat(db, id, chatId))
    }
    case 'message': {
      return isShown(db, session, id)
    }
  }
}

/** Whether a link to a file is good still: what came of a job is for who may do such work, and was given the link as one of these. */
export async function isLinkAllowed({ db }: Pick<Parts, 'db'>, { owner, jobId }: MediaRow): Promise<boolean> {
  if (owner !== 'job' || jobId === null) return true
  const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId))
  return job !== undefined && isStillAllowed(db, job, getStarter(job))
}

/** Whether a message that still stands shows this file in a ticket the person may see: its own, or where it was forwarded. */
export async function isShown(
  db: Parts['db'],
  { viewer, settings }: Pick<Session, 'viewer' | 'settings'>,
  mediaId: string,
): Promise<boolean> {
  const sql = getSql(db)
  const rows = await sql`
    select 1 from message m join ticket t on t.id = m.ticket_id
    where m.media_id = ${mediaId} and not m.is_deleted and ${visibleTicketsSql(sql, viewer, settings)} limit 1`
  return rows.length > 0
}

/** Whether a message that still stands shows this file. */
async function isInChat(db: Parts['db'], mediaId: string, chatId: number | null): Promise<boolean> {
  const rows = await getSql(db)`
    select 1 from chat_message where media_id = ${mediaId} and chat_id = ${chatId} and not is_deleted limit 1`
  return rows.length > 0
}
