// Scheduled sends in the form of the contract.
import type { Recurrence, Schedule } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { isoOf, isoOrNull, sqlOf } from '../database/raw.ts'
import { mediaUrl } from '../messages/present.ts'

interface Row {
  id: number
  title: string
  message: string
  recurrence: Recurrence
  r_value: string
  send_time: string
  send_on: string | null
  all_contacts: boolean
  whatsapp_id: number | null
  whatsapp_name: string | null
  media_id: string | null
  media_type: string | null
  media_name: string | null
  first_send: boolean
  template: unknown
  next_run_at: string | null
  last_run_at: string | null
  enviados: number
  total: number
  user_id: number | null
  created_at: string
  updated_at: string
  version: string
  contacts: Schedule['contacts']
  tags: Schedule['tags']
}

/** Scheduled sends by id, in the order of the ids given. */
export async function loadSchedules(db: Db | Tx, ids: readonly number[]): Promise<Schedule[]> {
  if (ids.length === 0) return []
  const rows = await sqlOf(db)<Row[]>`
    select s.id, s.title, s.message, s.recurrence, s.r_value, s.send_time, s.send_on, s.all_contacts, s.whatsapp_id,
      w.name as whatsapp_name, s.media_id, s.media_type, s.media_name, s.first_send, s.template, s.next_run_at,
      s.last_run_at, s.enviados, s.total, s.user_id, s.created_at, s.updated_at, s.version,
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'number', c.number) order by c.name, c.id)
        from schedule_contact sc join contact c on c.id = sc.contact_id where sc.schedule_id = s.id), '[]'::json) as contacts,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by g.name, g.id)
        from schedule_tag st join tag g on g.id = st.tag_id where st.schedule_id = s.id), '[]'::json) as tags
    from schedule s left join whatsapp w on w.id = s.whatsapp_id
    where s.id = any(${[...ids]}::int[])`
  const byId = new Map(rows.map(row => [row.id, scheduleOf(row)]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

function scheduleOf(row: Row): Schedule {
  const sent = row.last_run_at !== null && row.next_run_at === null
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    recurrence: row.recurrence,
    RValue: row.recurrence === 'once' || row.recurrence === 'last_day_of_month' ? (sent ? '1' : '0') : row.r_value,
    sendAt: row.send_on === null ? row.send_time : isoOf(row.send_on),
    nextRunAt: isoOrNull(row.next_run_at),
    enviado: sent,
    enviados: row.enviados,
    total: row.total,
    allContacts: row.all_contacts,
    contactsIds: row.contacts.map(contact => contact.id).join(','),
    tagsIds: row.tags.map(tag => tag.id).join(','),
    contacts: row.contacts,
    tags: row.tags,
    whatsappId: row.whatsapp_id,
    whatsapp: row.whatsapp_id === null ? null : { id: row.whatsapp_id, name: row.whatsapp_name ?? '' },
    mediaUrl: row.media_id === null ? null : mediaUrl(row.media_id),
    mediaType: row.media_type,
    mediaName: row.media_name,
    template: row.template ?? null,
    firstSend: row.first_send,
    userId: row.user_id,
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
    version: Number(row.version),
  }
}
