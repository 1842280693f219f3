// The next call of a flow, noted before it is made: whoever finds the note of a dead process knows that nobody knows what was heard.
import { type Kind, MESSAGE_KINDS, type MediaType, type Settings, toSafeFileName } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import { createMediaLink } from '../../desk/media/links.ts'
import type { MessageMedia } from '../../desk/media/table.ts'
import { publishTicketUpdates } from '../../desk/tickets/present.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { TypebotAddress } from './client.ts'
import { listCommandLines, stripCommandMark } from './commands.ts'
import { releaseToPeople } from './leave.ts'
import { type LockedFlow, lockFlow } from './lock-flow.ts'
import type { FlowInputMessage } from './protocol.ts'
import { type CustomerReply, interpretReply } from './replies.ts'
import { typebotSessions } from './table.ts'
import { writeFlowMessages } from './write-messages.ts'

/** One call: to whom, with what, and what its answer is read with. */
export interface FlowTurn {
  readonly ticketId: number
  readonly call: string
  readonly viewer: TypebotAddress
  readonly sessionId: string | null
  readonly message: FlowInputMessage | null
  /** What begins the flow anew, should Typebot have forgotten the session; null: that was done before. */
  readonly anew: { readonly message: FlowInputMessage | null } | null
  readonly prefilled: Readonly<Record<string, unknown>>
  readonly kind: Kind
  readonly theirs: readonly string[]
}

/** `waitMs`: something is to be done, but only then. Null: nothing. */
export type TurnStart = { readonly turn: FlowTurn } | { readonly waitMs: number } | null

const MOST_CALLS = 300
const MOST_ALONE = 20
const MOST_WAITING = 100
/** As long as a link may be in a flow that stores it and looks at it later the same day. */
const LINK_SECONDS = 24 * 3600
const FILE_PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 500

export async function startTurn(tx: Tx, ticketId: number, config: Config, settings: Settings): Promise<TurnStart> {
  const held = await lockFlow(tx, ticketId)
  if (!held) return null
  const { ticket, flow } = held
  if (flow.call !== null) return leave('flowInterrupted')
  if (flow.waiting.length > MOST_WAITING) return leave('flowFlood')
  const goesOn = flow.goesOnAt !== null
  if (!goesOn && flow.waiting.length === 0) return null
  const left = goesOn ? Date.parse(flow.goesOnAt ?? '') - Date.now() : 0
  if (left > 0) return { waitMs: left }
  const place = await loadTicketFacts(tx, ticketId)
  if (!place?.viewer) return leave('flowUnset')
  if (flow.calls >= MOST_CALLS || (goesOn && flow.alone >= MOST_ALONE)) return leave('flowLoop')
  if (goesOn) return call(null, 0, null)

  const { heard, taken, isReady } = await hear(tx, config, held)
  if (!isReady) return { waitMs: LOOK_AGAIN_MS }
  if (!heard) return passOver(taken)
  const plain: FlowInputMessage | null = heard.words.trim() === '' ? null : { type: 'text', text: heard.words.trim() }
  if (flow.sessionId === null) return call(plain, taken, plain)
  const reading = interpretReply(flow.asked, heard, new Date(), settings.timezone)
  if ('tell' in reading) return call(reading.tell, taken, plain)
  const again = { say: 'text', text: reading.again } as const
  if (!(await writeFlowMessages(tx, ticket, place.kind, [{ saying: again, file: null, pauseMs: 0 }])))
    return leave('flowSilent')
  await publishTicketUpdates(tx, [ticket])
  // As much as a call: another program at the other end may never say anything else.
  await note({ calls: flow.calls + 1 })
  return passOver(taken)

  async function leave(why: Parameters<typeof releaseToPeople>[2]): Promise<null> {
    await releaseToPeople(tx, ticket, why)
    return null
  }

  async function passOver(count: number): Promise<TurnStart> {
    await note({ waiting: restOf(count) })
    return { waitMs: 0 }
  }

  async function call(
    message: FlowInputMessage | null,
    count: number,
    begins: FlowInputMessage | null,
  ): Promise<TurnStart> {
    if (!place?.viewer) return null
    const id = crypto.randomUUID()
    const alone = goesOn ? flow.alone + 1 : 0
    await note({ call: id, waiting: restOf(count), goesOnAt: null, alone, calls: flow.calls + 1 })
    const { viewer, kind, prefilled, theirs } = place
    const anew = flow.renewed || goesOn ? null : { message: begins }
    return {
      turn: { ticketId, call: id, viewer, sessionId: flow.sessionId, message, anew, prefilled, kind, theirs },
    }
  }

  /** Its row is locked: nothing is added meanwhile. */
  function restOf(count: number): number[] {
    return flow.waiting.slice(count)
  }

  async function note(changed: Record<string, unknown>): Promise<void> {
    await tx
      .update(typebotSessions)
      .set({ ...changed, touchedAt: sql`now()` })
      .where(eq(typebotSessions.ticketId, ticketId))
  }
}

async function loadTicketFacts(tx: Tx, ticketId: number) {
  const [row] = await getSql(tx)<PlaceRow[]>`
    select w.api, w.name as connection, trim(w.public_dns_typebot) as address, trim(w.public_id_typebot) as bot,
      c.name, c.number, q.name as queue,
      array(select said.body from (
          select m.id, m.body from message m where m.ticket_id = t.id and not m.from_me
          union all
          select m.id, e.body from message m join message_edit e on e.message_id = m.id
          where m.ticket_id = t.id and not m.from_me and m.is_edited
        ) said where said.body like '%#%' order by said.id desc limit 201) as written
    from ticket t join whatsapp w on w.id = t.whatsapp_id join contact c on c.id = t.contact_id left join queue q on q.id = t.queue_id
    where t.id = ${ticketId} and w.deleted_at is null`
  if (!row) return null
  const { api: kind, address, bot, name, number, connection, queue, written } = row
  const viewer = address === '' || bot === '' ? null : { address, bot }
  const prefilled = { name: stripCommandMark(name), number: number ?? '', ticketId, connection, queue: queue ?? '' }
  return { kind, viewer, prefilled, theirs: listCommandLines([name, ...written]) }
}

interface PlaceRow {
  readonly api: Kind
  readonly connection: string
  readonly address: string
  readonly bot: string
  readonly name: string
  readonly number: string | null
  readonly queue: string | null
  readonly written: string[]
}

interface MessageRow {
  readonly id: number
  readonly body: string
  readonly mediaType: MediaType
  readonly mediaId: string | null
  readonly media: MessageMedia | null
  readonly isDeleted: boolean
  readonly ageMs: number
}

/** What says nothing that a flow could take for an answer. */
const UNSAID: readonly MediaType[] = ['call_log', 'unknown', 'sticker']

/**
 * The next message, or several that answer one question together; `heard` null where it says nothing. Not ready: its file is still
 * being fetched, and the flow wants it.
 */
async function hear(tx: Tx, config: Config, { flow }: LockedFlow) {
  const rows = await getSql(tx)<MessageRow[]>`
    select id::float8 as id, body, media_type as "mediaType", media_id as "mediaId", media, is_deleted as "isDeleted",
      extract(epoch from now() - created_at)::float8 * 1000 as "ageMs"
    from message where id = any(${flow.waiting.slice(0, MOST_FILES)}::bigint[])`
  const byId = new Map(rows.map(row => [row.id, row]))
  const [first, ...more] = flow.waiting.slice(0, MOST_FILES).map(id => byId.get(id))
  if (!first || first.isDeleted || (UNSAID.includes(first.mediaType) && flow.sessionId !== null))
    return { heard: null, taken: 1, isReady: true }
  const isFileAsked = flow.asked?.type === 'file input'
  const all = [first]
  if (isFileAsked && isFile(first) && flow.asked?.options.isMultipleAllowed === true)
    for (const next of more) {
      if (!next || !isFile(next)) break
      all.push(next)
    }
  const wantsFiles = isFileAsked || flow.asked?.type === 'text input'
  const isReady = !wantsFiles || all.every(({ media, ageMs }) => media?.state !== 'pending' || ageMs > FILE_PATIENCE_MS)
  const heard: CustomerReply = {
    words: MESSAGE_KINDS[first.mediaType].body === 'words' ? first.body : '',
    isVoice: first.mediaType === 'audio',
    fileUrls: wantsFiles && isReady ? (await Promise.all(all.map(row => createFileUrls(config, row)))).flat() : [],
  }
  return { heard, taken: all.length, isReady }
}

const MOST_FILES = 20

function isFile({ mediaType }: MessageRow): boolean {
  return MESSAGE_KINDS[mediaType].isFile
}

async function createFileUrls(config: Config, { mediaId, media }: MessageRow): Promise<string[]> {
  if (mediaId === null || config.publicUrl === null) return []
  const { url } = await createMediaLink(config, mediaId, {
    seconds: LINK_SECONDS,
    name: toSafeFileName(media?.name ?? ''),
  })
  return [config.publicUrl + url]
}
