// What scheduled sends did in a conversation, as lines between its messages (spec 1 §2, §9: asked for after 600 ms).
import { type Message, type ScheduleLog, type Ticket, truncateText } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { combineStops, live } from '@balcao/ui/live'
import { useSetting } from '@balcao/ui/session'
import { useEffect, useMemo } from 'react'
import { BLANK } from '../message/blank.ts'

const AFTER_MS = 600
const NONE: readonly ScheduleLog[] = []
/** Below the ids of what is still on its way out. */
const LINES_FROM = -1_000_000_000

/** Whether there is more of the conversation before and behind what is loaded. */
interface LoadedRange {
  readonly hasMore: boolean
  readonly hasNewer: boolean
}

/** The messages with those lines among them that fall into the time the messages span. */
export function useWithScheduleLogs(
  messages: readonly Message[],
  ticket: Ticket,
  loaded: LoadedRange,
): readonly Message[] {
  const logs = useScheduleLogs(ticket.id)
  const { hasMore, hasNewer } = loaded
  return useMemo(
    () => withLogs(messages, logs, ticket, { hasMore, hasNewer }),
    [messages, logs, ticket, hasMore, hasNewer],
  )
}

function useScheduleLogs(ticketId: number): readonly ScheduleLog[] {
  const offered = useSetting('allowAgendador')
  // The conversation stands without them; the next event asks again.
  const { last, again } = useQuery(
    offered ? ticketId : null,
    async () => ({ ticketId, logs: await api('GET /agendamento/logs/ticket/:ticketId', { params: { ticketId } }) }),
    { waitMs: AFTER_MS },
  )
  useEffect(() => combineStops(live.on('agendamento', again), live.onReset(again)), [again])
  return offered && last?.ticketId === ticketId ? last.logs : NONE
}

/** Puts lines where they belong in time; those older or newer than what is loaded wait for it. */
export function withLogs(
  messages: readonly Message[],
  logs: readonly ScheduleLog[],
  ticket: Ticket,
  loaded: LoadedRange,
): readonly Message[] {
  const [first, last] = [messages[0], messages.at(-1)]
  const from = loaded.hasMore && first ? Date.parse(first.createdAt) : Number.NEGATIVE_INFINITY
  const to = loaded.hasNewer && last ? Date.parse(last.createdAt) : Number.POSITIVE_INFINITY
  const within = ({ createdAt }: ScheduleLog) => Date.parse(createdAt) >= from && Date.parse(createdAt) <= to
  const lines = logs.filter(within).map(log => toLogMessage(log, ticket))
  if (lines.length === 0) return messages
  const merged = [...messages]
  for (const line of lines.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))) {
    const at = merged.findLastIndex(message => Date.parse(message.createdAt) <= Date.parse(line.createdAt))
    merged.splice(at + 1, 0, line)
  }
  return merged
}

function toLogMessage(log: ScheduleLog, ticket: Ticket): Message {
  const title = log.agendamento.title || truncateText(log.agendamento.message, 60)
  return {
    ...BLANK,
    mediaType: 'system',
    read: true,
    id: LINES_FROM - log.id,
    ticketId: ticket.id,
    contactId: ticket.contactId,
    body: log.body,
    createdAt: log.createdAt,
    system: { code: log.wasSend ? 'scheduleSent' : 'scheduleFailed', params: { title } },
    ticket: { whatsapp: { api: ticket.whatsapp.api } },
  }
}
