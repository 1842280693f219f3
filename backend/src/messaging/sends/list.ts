// Reading mass sends: the list by how they stand, and one by itself.
import {
  LIVE_SEND_STATES,
  type MassSendDetail,
  type QueryParams,
  type ResponseBody,
  type SendState,
} from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { parsePageBounds, toPage } from '../../platform/http/paging.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSend, checkSends } from './access.ts'
import { loadSends, type SendPace } from './present.ts'
import { listRecipients, loadSendNumbers } from './recipients.ts'

const PAGE = 20
type Query = QueryParams<'GET /envioMassa'>
type ShownStates = NonNullable<Query['show']>

const STATES: Readonly<Record<ShownStates, readonly SendState[]>> = {
  active: ['calculating', 'waiting', 'running'],
  stopped: ['paused', 'stopped'],
  ended: ['done', 'cancelled'],
}

/** By which clock sends go on here. */
export function getPace({ config }: Pick<Parts, 'config'>, { settings }: Session): SendPace {
  return { settings, paceMs: config.sendPaceMs }
}

/** A page of mass sends, newest first. Throws `ERR_NO_PERMISSION`. */
export async function listSends(
  parts: Parts,
  session: Session,
  query: Query,
): Promise<ResponseBody<'GET /envioMassa'>> {
  checkSends(session)
  const { db } = parts
  const { after, limit } = parsePageBounds(query, query.limit ?? PAGE, PAGE)
  const states = query.show === undefined ? [...LIVE_SEND_STATES, ...STATES.ended] : STATES[query.show]
  const rows = await getSql(db)<{ id: number }[]>`
    select s.id from send s
    where s.schedule_id is null and s.state = any(${[...states]}::text[]) and s.id < ${after?.id ?? 2 ** 31 - 1}
    order by s.id desc limit ${limit + 1}`
  const { ids, ...page } = toPage(rows, limit)
  const counts = await countByState(db)
  const count = counts[query.show ?? 'all']
  return { envios: await loadSends(db, ids, getPace(parts, session)), counts, count, ...page }
}

async function countByState(db: Db): Promise<Record<ShownStates | 'all', number>> {
  const rows = await getSql(db)<{ state: SendState; count: number }[]>`
    select state, count(*)::int as count from send where schedule_id is null group by state`
  const of = (states: readonly SendState[]) =>
    rows.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0)
  const [active, stopped, ended] = [of(STATES.active), of(STATES.stopped), of(STATES.ended)]
  return { all: active + stopped + ended, active, stopped, ended }
}

/** One send with its numbers, a run of a scheduled one too. Throws `ERR_NO_SEND_FOUND`, `ERR_NO_PERMISSION`. */
export async function getSend(parts: Parts, session: Session, id: number): Promise<MassSendDetail> {
  await checkSend(parts.db, session, id)
  const [send] = await loadSends(parts.db, [id], getPace(parts, session))
  if (!send) throw new AppError('ERR_NO_SEND_FOUND')
  return { ...send, ...(await loadSendNumbers(parts.db, id)) }
}

/** Whom it is for. The same refusals. */
export async function listSendRecipients(
  parts: Parts,
  session: Session,
  id: number,
  query: QueryParams<'GET /envioMassa/:id/recipients'>,
): Promise<ResponseBody<'GET /envioMassa/:id/recipients'>> {
  await checkSend(parts.db, session, id)
  return listRecipients(parts.db, id, query)
}
