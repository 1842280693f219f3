// Sends in the form of the contract: what they say, to whom, how far they are, and when they will be over.
import { estimateSendEnd, getCalendar, type MassSend, type Settings } from '@balcao/contract'
import type { FileToSend } from '../../desk/media/table.ts'
import { toMediaUrl } from '../../desk/messages/present.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { computeQuota, countSentOnDay, countUntilFinished, findSendConnection, listWaitingSends } from './quota.ts'
import type { Recipients } from './table.ts'

/** By which clock it goes on. */
export interface SendPace {
  readonly settings: Settings
  readonly paceMs: number
}

type Row = Omit<
  MassSend,
  'allContacts' | 'contactsIds' | 'tagsIds' | 'mediaUrl' | 'mediaType' | 'mediaName' | 'endsAt'
> & {
  readonly recipients: Recipients
  readonly file: FileToSend | null
}

/** Sends by id, in the order of the ids given. */
export async function loadSends(db: Db | Tx, ids: readonly number[], pace: SendPace): Promise<MassSend[]> {
  if (ids.length === 0) return []
  const rows = await getSql(db)<Row[]>`
    select s.id, s.body as mensagem, s.state, s.state_reason as "stateReason", s.state_at as "stateAt",
      case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'profilePicUrl', a.profile_pic_url) end as "stateUser",
      s.sent as enviados, s.total, s.recipients, s.only_working_hours as "onlyWorkingHours", s.only_who_wrote as "onlyWhoWrote",
      (select count(*)::int from send_recipient r join message m on m.id = r.message_id
        where r.send_id = s.id and r.state = 'handed' and m.state = 'failed') as falhas,
      s.whatsapp_id as "whatsappId", case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as whatsapp,
      s.template, s.file, s.schedule_id as "agendamentoId", s.user_id as "userId",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) end as user,
      case when s.state = 'waiting' then s.not_before end as "resumesAt", s.created_at as "createdAt", s.ended_at as "endedAt",
      s.version::int as version
    from send s left join whatsapp w on w.id = s.whatsapp_id left join "user" u on u.id = s.user_id
      left join "user" a on a.id = s.state_user_id
    where s.id = any(${[...ids]}::int[])`
  const ends = await estimateEnds(db, rows, pace)
  return sortByIds(ids, rows).map(({ recipients, file, ...row }) => ({
    ...row,
    allContacts: recipients.allContacts,
    contactsIds: recipients.contactsIds.join(','),
    tagsIds: recipients.tagsIds.join(','),
    mediaUrl: file ? toMediaUrl(file.mediaId) : null,
    mediaType: file?.mediaType ?? null,
    mediaName: file?.name ?? null,
    endsAt: ends.get(row.id) ?? null,
  }))
}

interface ActiveSend {
  readonly id: number
  readonly state: MassSend['state']
  readonly stateReason: MassSend['stateReason']
  readonly whatsappId: number | null
  readonly onlyWorkingHours: boolean
}

/** When each that goes on will be over, by what it takes turns with; what nobody knows is left out. */
export async function estimateEnds(
  db: Db | Tx,
  sends: readonly ActiveSend[],
  { settings, paceMs }: SendPace,
): Promise<ReadonlyMap<number, string>> {
  const now = new Date()
  const ends = new Map<number, string>()
  const going = sends.filter(
    ({ state, stateReason }) => state === 'running' || (state === 'waiting' && stateReason !== 'disconnected'),
  )
  for (const whatsappId of new Set(going.map(send => send.whatsappId))) {
    const connection = whatsappId === null ? undefined : await findSendConnection(db, whatsappId)
    if (!connection) continue
    const waiting = await listWaitingSends(db, connection.id)
    const sentToday = await countSentOnDay(db, connection.id, now, settings.timezone)
    for (const { id, onlyWorkingHours } of going.filter(send => send.whatsappId === whatsappId)) {
      const left = waiting.find(one => one.id === id)?.left ?? 0
      const messages = countUntilFinished(
        left,
        waiting.filter(one => one.id !== id),
      )
      const hours = onlyWorkingHours ? getCalendar(settings) : null
      const end = estimateSendEnd(
        { messages, paceMs, allowance: computeQuota(connection, settings), sentToday, hours },
        now,
      )
      if (end) ends.set(id, end.toISOString())
    }
  }
  return ends
}
