// How large a report would be, before anybody waits for it.
import { REPORT_LOOK_ROWS, REPORT_ROWS, type ReportName } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { countConversationMessages } from './conversation.ts'
import { openedTicketsSql, type ReportQuery } from './query.ts'
import { sumLines } from './sums.ts'

/** Rows that a page holds, about, and what else stands in a document, as rows: head, charts, sums. Those of queues and people stand in three tables. */
const PAGES: Readonly<Record<ReportName, { readonly rows: number; readonly besides: number }>> = {
  ticket: { rows: 28, besides: 24 },
  contact: { rows: 28, besides: 9 },
  queue: { rows: 15, besides: 5 },
  user: { rows: 15, besides: 5 },
  message: { rows: 13, besides: 2 },
}

/** Its rows, counted up to a limit, and how many pages they would be. */
export async function previewReport(
  db: Db,
  report: ReportName,
  which: ReportQuery,
  timezone: string,
): Promise<{ rows: number; pages: number }> {
  const rows = Math.min(await countRows(db, report, which, timezone), REPORT_LOOK_ROWS)
  const { rows: each, besides } = PAGES[report]
  return { rows, pages: Math.ceil((Math.min(rows, REPORT_ROWS.pdf) + besides) / each) }
}

async function countRows(db: Db, report: ReportName, which: ReportQuery, timezone: string): Promise<number> {
  const sql = getSql(db)
  if (report === 'queue' || report === 'user') return (await sumLines(db, which, report, timezone)).length
  if (report === 'message') return countConversationMessages(db, which, REPORT_LOOK_ROWS)
  const counted = report === 'ticket' ? sql`t.id` : sql`distinct t.contact_id`
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from (select ${counted} from ticket t where ${openedTicketsSql(sql, which)} limit ${REPORT_LOOK_ROWS}) found`
  return row?.n ?? 0
}
