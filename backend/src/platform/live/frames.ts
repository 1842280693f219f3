// What of the live rows a viewer gets, put together from their stored text. Pure.
import { canSeeChat, canSeeTicket, isInSameHistory, type Viewer, type VisibilitySettings } from '@balcao/contract'
import type { LiveRow } from './reader.ts'
import type { Audience } from './table.ts'

/** The frame a viewer gets for some rows, put together from their stored text; null when none of them is for this viewer. */
export function buildFrame(
  rows: readonly LiveRow[],
  viewer: Viewer,
  settings: VisibilitySettings,
  cursor: string,
  remaining?: number,
): string | null {
  const events: string[] = []
  for (const row of rows) {
    const text = selectEventText(row, viewer, settings)
    if (text) events.push(text)
  }
  if (events.length === 0 && remaining === undefined) return null
  return `{"type":"events","cursor":"${cursor}","events":[${events.join(',')}]${remaining === undefined ? '' : `,"remaining":${remaining}`}}`
}

/** Whether an event tells a viewer something. */
export function isForViewer(row: LiveRow, viewer: Viewer, settings: VisibilitySettings): boolean {
  return selectEventText(row, viewer, settings) !== null
}

function selectEventText(row: LiveRow, viewer: Viewer, settings: VisibilitySettings): string | null {
  const audience: Audience = row.audience
  switch (audience.to) {
    case 'everyone':
      return row.payload
    case 'admins':
      return viewer.profile === 'admin' ? row.payload : null
    case 'others':
      return viewer.profile === 'admin' ? null : row.payload
    case 'managers':
      return viewer.profile === 'user' ? null : row.payload
    case 'user':
      return viewer.id === audience.userId ? row.payload : null
    case 'queue':
      return viewer.profile === 'admin' || viewer.queueIds.includes(audience.queueId) ? row.payload : null
    case 'users':
      return audience.userIds.includes(viewer.id) || (audience.admins && canSeeChat(viewer, audience, settings))
        ? row.payload
        : null
    case 'ticket':
      if (audience.after && canSeeTicket(viewer, audience.after, settings))
        return audience.quotes && !isInSameHistory(viewer, audience.quotes.in, audience.quotes.from, settings)
          ? withoutQuote(row.payload)
          : row.payload
      if (!audience.before || !canSeeTicket(viewer, audience.before, settings)) return null
      return audience.after ? hiddenText(audience.ticketId, row.payload) : row.payload
  }
}

/** For those who see a message and not what it quotes. */
function withoutQuote(payload: string): string {
  const event: { message: object } = JSON.parse(payload)
  return JSON.stringify({ ...event, message: { ...event.message, quotedMsg: null } })
}

/** Whether an event is for single people. */
export function isPersonal({ audience }: LiveRow): boolean {
  return audience.to === 'user' || audience.to === 'users'
}

/** For those who could see a ticket and cannot any more. */
function hiddenText(ticketId: number, payload: string): string | null {
  const event: { event: string; version: number } = JSON.parse(payload)
  if (event.event === 'ticketBot')
    return JSON.stringify({ event: 'ticketBot', action: 'reload', version: event.version, ticketId })
  if (event.event !== 'ticket') return null
  return JSON.stringify({ event: 'ticket', action: 'delete', version: event.version, ticketId, reason: 'hidden' })
}

/** Whom an event about a person tells of. */
export function readEventUser(payload: string): number {
  const event: { user?: { id: number }; userId?: number } = JSON.parse(payload)
  return event.user?.id ?? event.userId ?? 0
}
