// Scheduled sends in the form of the contract.
import { LIVE_SEND_STATES, type Schedule, type SendReason, type SendState } from '@balcao/contract'
import { toMediaUrl } from '../../desk/messages/present.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds, toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Whether it is done is told by the two columns of its runs. */
type Row = Omit<
  Schedule,
  'enviado' | 'contactsIds' | 'tagsIds' | 'whatsapp' | 'mediaUrl' | 'sendAt' | 'state' | 'stateReason'
> & {
  readonly sendTime: string
  readonly sendOn: string | null
  readonly lastRunAt: string | null
  readonly mediaId: string | null
  readonly whatsappName: string | null
  /** What somebody did with it. */
  readonly held: 'paused' | 'cancelled' | null
  readonly runReason: SendReason | null
  /** The connection it goes by was deleted. */
  readonly isLost: boolean
}

/** Scheduled sends by id, in the order of the ids given. */
export async function loadSchedules(db: Db | Tx, ids: readonly number[]): Promise<Schedule[]> {
  if (ids.length === 0) return []
  const rows = await getSql(db)<Row[]>`
    select s.id, s.title, s.message, s.recurrence, s.r_value as "RValue", s.send_time as "sendTime", s.send_on as "sendOn",
      s.all_contacts as "allContacts", s.whatsapp_id as "whatsappId", w.name as "whatsappName", s.media_id as "mediaId",
      s.media_type as "mediaType", s.media_name as "mediaName", s.first_send as "firstSend", s.template,
      s.only_working_hours as "onlyWorkingHours", s.state as held, run.state_reason as "runReason",
      w.deleted_at is not null as "isLost",
      case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'profilePicUrl', a.profile_pic_url) end as "stateUser",
      case when run.id is not null then json_build_object('id', run.id, 'state', run.state, 'dueAt', run.due) end as run,
      s.next_run_at as "nextRunAt", s.last_run_at as "lastRunAt", coalesce(run.sent, 0) as enviados,
      coalesce(run.total, 0) as total, s.user_id as "userId", s.program,
      s.created_at as "createdAt", s.updated_at as "updatedAt", s.version::int as version,
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'number', c.number) order by c.name, c.id)
        from schedule_contact sc join contact c on c.id = sc.contact_id where sc.schedule_id = s.id), '[]'::json) as contacts,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by g.name, g.id)
        from schedule_tag st join tag g on g.id = st.tag_id where st.schedule_id = s.id), '[]'::json) as tags
    from schedule s left join whatsapp w on w.id = s.whatsapp_id left join "user" a on a.id = s.state_user_id
      left join lateral (select id, sent, total, state, state_reason, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due from send where schedule_id = s.id order by due_at desc limit 1) run on true
    where s.id = any(${[...ids]}::int[])`
  return sortByIds(ids, rows).map(toSchedule)
}

function toSchedule({
  sendTime,
  sendOn,
  lastRunAt,
  mediaId,
  whatsappName,
  held,
  runReason,
  isLost,
  ...row
}: Row): Schedule {
  const enviado = lastRunAt !== null && row.nextRunAt === null
  return {
    ...row,
    RValue: row.recurrence === 'once' || row.recurrence === 'last_day_of_month' ? (enviado ? '1' : '0') : row.RValue,
    sendAt: sendOn ?? sendTime,
    enviado,
    ...resolveState(row, held, runReason, isLost),
    contactsIds: toIds(row.contacts).join(','),
    tagsIds: toIds(row.tags).join(','),
    whatsapp: row.whatsappId === null ? null : { id: row.whatsappId, name: whatsappName ?? '' },
    mediaUrl: mediaId === null ? null : toMediaUrl(mediaId),
  }
}

/** Held by somebody, else as its run goes, else waiting for the next one, which stops at once without a connection, or over. */
function resolveState(
  { run, nextRunAt }: Pick<Schedule, 'run' | 'nextRunAt'>,
  held: SendState | null,
  runReason: SendReason | null,
  isLost: boolean,
): Pick<Schedule, 'state' | 'stateReason'> {
  if (held) return { state: held, stateReason: null }
  const isOver = run === null || !LIVE_SEND_STATES.some(state => state === run.state)
  if (!isOver && (run.state !== 'stopped' || nextRunAt === null)) return { state: run.state, stateReason: runReason }
  if (nextRunAt !== null) return { state: 'waiting', stateReason: isLost ? 'connection_deleted' : null }
  return { state: run?.state ?? 'done', stateReason: runReason }
}
