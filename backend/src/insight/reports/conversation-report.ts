// A contact's conversations as PDF and as sheet. More than ten thousand messages are several documents in one archive.
import { fillBraces, type Message, REPORT_ROWS } from '@balcao/contract'
import type { DocumentBlock } from '@balcao/formats/pdf/document'
import { renderPdf } from '@balcao/formats/pdf/write'
import { renderWorkbook } from '@balcao/formats/sheets/workbook'
import { toSheetText } from '@balcao/formats/sheets/write'
import { type Cells, renderZip } from '@balcao/formats/sheets/xlsx'
import { isBucketAway } from '../../desk/media/bucket-files.ts'
import { getMediaPath } from '../../desk/media/folder.ts'
import { openMedia } from '../../desk/media/store.ts'
import { buildHead, type ReportContent, type ReportFile, type ReportReader } from './content.ts'
import { formatCutNotice, formatFileName, type ReportContext } from './context.ts'
import {
  type ConversationTicket,
  countConversationMessages,
  type MessageBatch,
  readConversation,
} from './conversation.ts'
import {
  type ConversationFormat,
  createConversationFormat,
  formatDay,
  formatFile,
  formatState,
  formatText,
  formatTime,
  PICTURES,
  toBlock,
} from './conversation-message.ts'

interface ConversationExport {
  readonly batches: AsyncGenerator<MessageBatch>
  readonly format: ConversationFormat
  readonly rows: number
  readonly most: number
}

/** So many messages are one document. */
export const MESSAGES_A_PART = 10_000

/** `most`: messages of one document, or of the sheet. */
export async function buildConversationReport(
  context: ReportContext,
  read: ReportReader,
  most?: number,
): Promise<ReportContent> {
  const { which, timezone } = context
  const format = createConversationFormat(which.language, timezone, url =>
    getMediaPath(read.dataDir, parseMediaId(url)),
  )
  const rows = await countConversationMessages(read.db, which)
  await read.step(0, rows)
  const batches = stepped(context, read, rows)
  const file =
    which.format === 'xlsx'
      ? asSheet(context, read, { batches, format, rows, most: most ?? REPORT_ROWS.xlsx })
      : asPdf(context, read, { batches, format, rows, most: most ?? MESSAGES_A_PART })
  return { rows, file, remove: async () => {} }
}

/** One PDF, or an archive of several. */
function asPdf(
  context: ReportContext,
  read: ReportReader,
  { batches, format, rows, most }: ConversationExport,
): ReportFile {
  const { limits } = read
  const head = buildHead(context)
  const blocks = (some: AsyncIterable<MessageBatch>) => buildBlocks(withPictures(some, read), context, format)
  if (rows <= most) return { ending: 'pdf', bytes: renderPdf({ head, blocks: blocks(batches) }, limits) }
  async function* files() {
    let number = 0
    for await (const some of splitIntoParts(batches, most)) {
      number++
      // More may have come meanwhile.
      const title = `${head.title} · ${fillBraces(format.words.part, { number: String(number), parts: String(Math.max(Math.ceil(rows / most), number)) })}`
      const bytes = renderPdf({ head: { ...head, title }, blocks: blocks(some) }, limits)
      yield { name: `${number}-${formatFileName(context, 'pdf')}`, bytes }
    }
  }
  return { ending: 'zip', bytes: renderZip(files()) }
}

/** What a sheet has no room for is counted in its last line. */
function asSheet(
  context: ReportContext,
  { limits }: ReportReader,
  { batches, format, rows, most }: ConversationExport,
): ReportFile {
  async function* cells() {
    yield format.words.columns
    let written = 0
    for await (const { ticket, messages } of batches) {
      for (const message of messages.slice(0, most - written)) yield toSheetRow(message, ticket, context, format)
      written += messages.length
      if (written < most) continue
      if (rows > most) yield [formatCutNotice(context, most, rows)]
      return
    }
  }
  return { ending: 'xlsx', bytes: renderWorkbook([{ name: context.words.tables.message, rows: cells() }], limits) }
}

function toSheetRow(
  message: Message,
  { id, queue }: ConversationTicket,
  { company }: ReportContext,
  format: ConversationFormat,
): Cells {
  const { words } = format
  const { mediaType, createdAt, contact, user, transcription } = message
  const { name, size } = formatFile(message, format)
  const by = mediaType === 'system' ? '' : message.fromMe ? company : contact.name || words.customer
  return [
    ...[
      id,
      queue ?? words.noQueue,
      formatDay(createdAt, format),
      formatTime(createdAt, format),
      by,
      user?.name ?? '',
    ].map(asCell),
    ...[
      words.kinds[mediaType] ?? '',
      formatText(message, format),
      transcription ?? '',
      name,
      size,
      formatState(message, words),
    ].map(asCell),
  ]
}

function asCell(value: string | number): string | number {
  return typeof value === 'string' ? toSheetText(value) : value
}

function parseMediaId(mediaUrl: string): string {
  return mediaUrl.slice(mediaUrl.lastIndexOf('/') + 1)
}

/** Brings the pictures of each batch to the folder; one that cannot be had is named instead, and so are those after it for a while. */
async function* withPictures(batches: AsyncIterable<MessageBatch>, read: ReportReader): AsyncGenerator<MessageBatch> {
  for await (const batch of batches) {
    for (const { mediaType, mediaUrl } of batch.messages)
      if (read.bucket && !read.bucket.isAway && mediaUrl && PICTURES.has(mediaType))
        await openMedia(read, parseMediaId(mediaUrl)).catch(error => {
          if (!isBucketAway(error)) throw error
        })
    yield batch
  }
}

/** Batches, and word of each: what it throws ends the report. */
async function* stepped(
  { which }: ReportContext,
  { db, step }: ReportReader,
  rows: number,
): AsyncGenerator<MessageBatch> {
  let done = 0
  for await (const batch of readConversation(db, which)) {
    yield batch
    done += batch.messages.length
    await step(done, Math.max(rows, done))
  }
}

/** Parts of `most` messages each, taken one after the other; at least one, and a ticket that goes on in the next begins anew there. */
async function* splitIntoParts(
  batches: AsyncGenerator<MessageBatch>,
  most: number,
): AsyncGenerator<AsyncIterable<MessageBatch>> {
  let next: MessageBatch | null = (await batches.next()).value ?? null
  async function* part(): AsyncGenerator<MessageBatch> {
    for (let left = most; next && left > 0; ) {
      const batch: MessageBatch = next
      left -= batch.messages.length
      if (left < 0) {
        const cut = batch.messages.length + left
        next = { ...batch, isFirst: true, messages: batch.messages.slice(cut) }
        yield { ...batch, messages: batch.messages.slice(0, cut) }
        return
      }
      yield batch
      next = (await batches.next()).value ?? null
      if (next && left === 0) next = { ...next, isFirst: true }
    }
  }
  do yield part()
  while (next)
}

async function* buildBlocks(
  batches: AsyncIterable<MessageBatch>,
  { company }: ReportContext,
  format: ConversationFormat,
): AsyncGenerator<DocumentBlock> {
  const { words } = format
  let day = ''
  let before = ''
  let isEmpty = true
  for await (const { ticket, messages, isFirst } of batches) {
    isEmpty = false
    if (isFirst) {
      yield {
        kind: 'heading',
        text: fillBraces(words.ticket, { number: String(ticket.id) }),
        aside: formatAside(ticket, format),
      }
      day = ''
    }
    for (const message of messages) {
      const on = formatDay(message.createdAt, format)
      if (on !== day) yield { kind: 'day', text: on }
      const by = message.fromMe ? company : message.contact.name || words.customer
      const block = toBlock(message, on === day && by === before ? undefined : by, format)
      yield block
      day = on
      before = block.kind === 'message' ? by : ''
    }
  }
  if (isEmpty) yield { kind: 'paragraph', text: words.empty, quiet: true }
}

/** 'Comercial · Rafael · de 24/11/2026 14:26 a 24/11/2026 15:02' */
function formatAside({ queue, person, createdAt, closedAt }: ConversationTicket, format: ConversationFormat): string {
  const { words } = format
  const at = (instant: string) => `${formatDay(instant, format)} ${formatTime(instant, format)}`
  const time =
    closedAt === null
      ? fillBraces(words.since, { from: at(createdAt) })
      : fillBraces(words.until, { from: at(createdAt), to: at(closedAt) })
  return [queue ?? words.noQueue, person ?? words.nobody, time].join(' · ')
}
