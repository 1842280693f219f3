// Web push for those who do not see the desk: a job reads on in the live events, decides by the same function as bells and sounds,
// and sends. Whoever runs it first moves the cursor; what is sent twice or never after a crash is a hint, not a message.
import {
  canSeeTicket,
  isWaitingInBell,
  type Notice,
  type PushPayload,
  shouldNotify,
  type Viewer,
} from '@balcao/contract'
import type { Logger } from 'pino'
import { loadChats } from '../../desk/chats/present.ts'
import { loadUnseenMentions } from '../../desk/messages/mentions.ts'
import { loadTickets } from '../../desk/tickets/present.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { Cursor } from '../../platform/live/cursor.ts'
import { type LiveRow, readIgnoringForeignTransactions } from '../../platform/live/reader.ts'
import { canWork, type WorkingTime } from '../../policy/calendar/working-time.ts'
import { readSettings } from '../../policy/settings/read.ts'
import {
  isNoticeable,
  loadNoticeContext,
  type NoticeContext,
  type PersonalNotice,
  toNoticeFacts,
  toNotices,
} from '../notifications/from-events.ts'
import { deliverPush, type PushDevice } from './deliver.ts'
import { findUsersWithOpenPage } from './open-pages.ts'

export interface PushParts {
  readonly db: Db
  readonly config: Pick<Config, 'push'>
  readonly log: Pick<Logger, 'info' | 'warn'>
}

const PAGE = 1000
const AT_ONCE = 20

/** Tells the devices of everybody who is to be told of what happened since the last time and does not see it. */
export async function pushNewEvents(parts: PushParts): Promise<void> {
  for (;;) {
    const rows = await takeNew(parts.db)
    if (rows.length === 0) return
    await tellDevices(parts, rows.filter(isNoticeable))
  }
}

/** The next events, taken by moving the cursor; nothing when another process took them or nobody has a device. */
async function takeNew(db: Db): Promise<LiveRow[]> {
  const from = await cursorNow(db)
  if (!from) return []
  const rows = await readIgnoringForeignTransactions(db, from, PAGE)
  const last = rows.at(-1)
  if (!last) return []
  const moved = await getSql(db)`
    update push_cursor set xid = ${last.xid}::xid8, event_id = ${last.id}
    where xid = ${from.xid}::xid8 and event_id = ${from.id}`
  return moved.count === 1 ? rows : []
}

/** Where to go on. What is older than ten minutes is passed over: after a night without a server nobody wants it. */
async function cursorNow(db: Db): Promise<Cursor | null> {
  const sql = getSql(db)
  const [row] = await sql<{ xid: string; id: string }[]>`
    select xid::text as xid, event_id as id from push_cursor where exists (select 1 from push_subscription)`
  if (!row) return null
  const from = { xid: row.xid, id: Number(row.id) }
  const [old] = await sql<{ xid: string; id: string }[]>`
    select xid::text as xid, id from live_event e
    where created_at < now() - interval '10 minutes' and (xid, id) > (${from.xid}::xid8, ${from.id})
    order by e.xid desc, e.id desc limit 1`
  if (!old) return from
  const moved = await sql`
    update push_cursor set xid = ${old.xid}::xid8, event_id = ${old.id}
    where xid = ${from.xid}::xid8 and event_id = ${from.id}`
  return moved.count === 1 ? { xid: old.xid, id: Number(old.id) } : null
}

interface DeviceRow extends PushDevice {
  readonly id: string
  readonly userId: number
  readonly language: PushPayload['language']
}

async function tellDevices(parts: PushParts, rows: readonly LiveRow[]): Promise<void> {
  const { db } = parts
  if (rows.length === 0) return
  const viewers = await absentViewers(db)
  if (viewers.length === 0) return
  const context = await loadNoticeContext(db)
  const notices = lastOfEach(rows.flatMap(row => toNotices(row, viewers, context)))
  if (notices.length === 0) return
  const payloads = await buildPayloads(db, notices, viewers, context)
  const devices = await loadDevices(
    db,
    payloads.map(one => one.userId),
  )
  const devicesBy = Map.groupBy(devices, device => device.userId)
  const sendings = payloads.flatMap(({ userId, payload }) =>
    (devicesBy.get(userId) ?? []).map(device => ({ device, payload: { ...payload, language: device.language } })),
  )
  for (let at = 0; at < sendings.length; at += AT_ONCE)
    await Promise.all(sendings.slice(at, at + AT_ONCE).map(sending => send(parts, sending.device, sending.payload)))
}

async function send({ db, config, log }: PushParts, device: DeviceRow, payload: PushPayload): Promise<void> {
  const delivery = await deliverPush(config.push, device, payload)
  if (delivery.outcome === 'gone') await getSql(db)`delete from push_subscription where id = ${device.id}`
  if (delivery.outcome === 'failed')
    log.warn({ service: new URL(device.endpoint).host, reason: delivery.reason }, 'a device was not reached')
}

/** People with a device whose session lasts, in their hours, who do not see a tab now. */
async function absentViewers(db: Db): Promise<Viewer[]> {
  const rows = await getSql(db)<(Viewer & WorkingTime)[]>`
    select u.id, u.profile, u.start_time as "startTime", u.end_time as "endTime", u.weekdays, u.saturday, u.sunday, u.holidays,
      array(select queue_id from user_queue where user_id = u.id order by queue_id) as "queueIds"
    from "user" u where u.active and u.deleted_at is null
      and exists (select 1 from push_subscription s join refresh_token r on r.family = s.family
        where s.user_id = u.id and r.user_id = u.id and r.revoked_at is null and r.expires_at > now())`
  const settings = await readSettings(db)
  const working = rows.filter(row => canWork(row, settings, new Date()))
  const there = await findUsersWithOpenPage(db, toIds(working))
  return working
    .filter(row => !there.has(row.id))
    .map(({ id, profile, queueIds }) => ({ id, profile, queueIds: [...queueIds] }))
}

async function loadDevices(db: Db, userIds: readonly number[]): Promise<DeviceRow[]> {
  const rows = await getSql(db)<DeviceRow[]>`
    select s.id, s.user_id as "userId", s.endpoint, s.p256dh, s.auth, s.language from push_subscription s
    where s.user_id = any(${[...new Set(userIds)]}::int[]) and exists (select 1 from refresh_token r
      where r.family = s.family and r.user_id = s.user_id and r.revoked_at is null and r.expires_at > now())`
  return rows.map(row => ({ ...row }))
}

/** Of many messages of one conversation one notice is enough. */
function lastOfEach(notices: readonly PersonalNotice[]): PersonalNotice[] {
  return [
    ...new Map(
      notices.map(one => [`${one.userId} ${one.notice.about} ${one.notice.id} ${one.notice.messageId}`, one]),
    ).values(),
  ]
}

type Unaddressed = Omit<PushPayload, 'language'>

/** What goes out, as things stand now: what was read meanwhile, or may not be seen any more, goes to nobody. */
async function buildPayloads(
  db: Db,
  notices: readonly PersonalNotice[],
  viewers: readonly Viewer[],
  context: NoticeContext,
): Promise<{ userId: number; payload: Unaddressed }[]> {
  const of = (about: Notice['about']) => [
    ...new Set(notices.flatMap(({ notice }) => (notice.about === about ? notice.id : []))),
  ]
  const viewersBy = new Map(viewers.map(viewer => [viewer.id, viewer]))
  const [tickets, chats, unseen] = await Promise.all([
    loadTickets(db, of('ticket')),
    loadChats(db, of('chat')),
    loadUnseenMentions(
      db,
      notices.flatMap(({ notice }) => notice.messageId ?? []),
    ),
  ])
  return notices.flatMap(({ userId, notice }): { userId: number; payload: Unaddressed }[] => {
    const { about, id, messageId, reason, name } = notice
    const viewer = viewersBy.get(userId)
    if (!viewer) return []
    if (about === 'chat') {
      const unread = chats.find(chat => chat.id === id)?.users.find(user => user.id === userId)?.unreadMessages ?? 0
      return unread > 0 ? [{ userId, payload: { about, id, reason, name, unread } }] : []
    }
    const view = tickets.get(id)
    if (messageId !== undefined)
      return view && unseen.has(`${userId} ${messageId}`) && canSeeTicket(viewer, view.facts, context.settings)
        ? [{ userId, payload: { about, id, messageId, reason, name, unread: 0 } }]
        : []
    if (!view || !shouldNotify(viewer, toNoticeFacts(view.facts, context), context.settings)) return []
    const unread = view.ticket.unreadMessages
    if (reason !== 'assigned' && !isWaitingInBell(view.facts, unread)) return []
    return [{ userId, payload: { about, id, reason, name, unread } }]
  })
}
