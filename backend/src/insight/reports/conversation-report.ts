// A contact's conversations as PDF and as sheet. More than ten thousand messages are several documents in one archive.
import { type Message, REPORT_ROWS } from '@balcao/contract'
import type { Block } from '@balcao/formats/pdf/document'
import { pdfOf } from '@balcao/formats/pdf/write'
import { workbookOf } from '@balcao/formats/sheets/workbook'
import { sheetText } from '@balcao/formats/sheets/write'
import { type Cells, zipOf } from '@balcao/formats/sheets/xlsx'
import { isAway } from '../../desk/media/far.ts'
import { pathOf } from '../../desk/media/folder.ts'
import { openMedia } from '../../desk/media/store.ts'
import { type Content, headOf, type Read, type ReportFile } from './content.ts'
import { type Context, cutText, fileNameOf } from './context.ts'
import { type Batch, countSpoken, type SpokenTicket, spokenIn } from './conversation.ts'
import {
  blockOf,
  dayOf,
  fileOf,
  PICTURES,
  type Spoken,
  spoken,
  stateOf,
  textOf,
  timeOf,
} from './conversation-message.ts'

/** So many messages are one document. */
export const MESSAGES_A_PART = 10_000

/** `most`: messages of one document, or of the sheet. */
export async function conversationReport(context: Context, read: Read, most?: number): Promise<Content> {
  const { which, timezone } = context
  const said = spoken(which.language, timezone, url => pathOf(read.dataDir, idIn(url)))
  const rows = await countSpoken(read.db, which)
  await read.step(0, rows)
  const batches = stepped(context, read, rows)
  const file =
    which.format === 'xlsx'
      ? asSheet(context, read, { batches, said, rows, most: most ?? REPORT_ROWS.xlsx })
      : asPdf(context, read, { batches, said, rows, most: most ?? MESSAGES_A_PART })
  return { rows, file, remove: async () => {} }
}

/** One PDF, or an archive of several. */
function asPdf(
  context: Context,
  read: Read,
  { batches, said, rows, most }: { batches: AsyncGenerator<Batch>; said: Spoken; rows: number; most: number },
): ReportFile {
  const { limits } = read
  const head = headOf(context)
  const blocks = (some: AsyncIterable<Batch>) => blocksOf(withPictures(some, read), context, said)
  if (rows <= most) return { ending: 'pdf', bytes: pdfOf({ head, blocks: blocks(batches) }, limits) }
  async function* files() {
    let number = 0
    for await (const some of partsIn(batches, most)) {
      number++
      // More may have come meanwhile.
      const title = `${head.title} · ${said.words.part(number, Math.max(Math.ceil(rows / most), number))}`
      const bytes = pdfOf({ head: { ...head, title }, blocks: blocks(some) }, limits)
      yield { name: `${number}-${fileNameOf(context, 'pdf')}`, bytes }
    }
  }
  return { ending: 'zip', bytes: zipOf(files()) }
}

/** What a sheet has no room for is counted in its last line. */
function asSheet(
  context: Context,
  { limits }: Read,
  { batches, said, rows, most }: { batches: AsyncGenerator<Batch>; said: Spoken; rows: number; most: number },
): ReportFile {
  async function* cells() {
    yield said.words.columns
    let written = 0
    for await (const { ticket, messages } of batches) {
      for (const message of messages.slice(0, most - written)) yield rowOf(message, ticket, context, said)
      written += messages.length
      if (written < most) continue
      if (rows > most) yield [cutText(context, most, rows)]
      return
    }
  }
  return { ending: 'xlsx', bytes: workbookOf([{ name: context.words.tables.message, rows: cells() }], limits) }
}

function rowOf(message: Message, { id, queue }: SpokenTicket, { company }: Context, said: Spoken): Cells {
  const { words } = said
  const { mediaType, createdAt, contact, user, transcription } = message
  const { name, size } = fileOf(message, said)
  const by = mediaType === 'system' ? '' : message.fromMe ? company : contact.name || words.customer
  return [
    ...[id, queue ?? words.noQueue, dayOf(createdAt, said), timeOf(createdAt, said), by, user?.name ?? ''].map(asCell),
    ...[
      words.kinds[mediaType] ?? '',
      textOf(message, said),
      transcription ?? '',
      name,
      size,
      stateOf(message, words),
    ].map(asCell),
  ]
}

function asCell(value: string | number): string | number {
  return typeof value === 'string' ? sheetText(value) : value
}

function idIn(mediaUrl: string): string {
  return mediaUrl.slice(mediaUrl.lastIndexOf('/') + 1)
}

/** Brings the pictures of each batch to the folder; one that cannot be had is named instead, and so are those after it for a while. */
async function* withPictures(batches: AsyncIterable<Batch>, read: Read): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    for (const { mediaType, mediaUrl } of batch.messages)
      if (read.bucket && !read.bucket.isAway && mediaUrl && PICTURES.has(mediaType))
        await openMedia(read, idIn(mediaUrl)).catch(error => {
          if (!isAway(error)) throw error
        })
    yield batch
  }
}

/** Batches, and word of each: what it throws ends the report. */
async function* stepped({ which }: Context, { db, step }: Read, rows: number): AsyncGenerator<Batch> {
  let done = 0
  for await (const batch of spokenIn(db, which)) {
    yield batch
    done += batch.messages.length
    await step(done, Math.max(rows, done))
  }
}

/** Parts of `most` messages each, taken one after the other; at least one, and a ticket that goes on in the next begins anew there. */
async function* partsIn(batches: AsyncGenerator<Batch>, most: number): AsyncGenerator<AsyncIterable<Batch>> {
  let next: Batch | null = (await batches.next()).value ?? null
  async function* part(): AsyncGenerator<Batch> {
    for (let left = most; next && left > 0; ) {
      const batch: Batch = next
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

async function* blocksOf(batches: AsyncIterable<Batch>, { company }: Context, said: Spoken): AsyncGenerator<Block> {
  const { words } = said
  let day = ''
  let before = ''
  let isEmpty = true
  for await (const { ticket, messages, isFirst } of batches) {
    isEmpty = false
    if (isFirst) {
      yield { kind: 'heading', text: words.ticket(ticket.id), aside: asideOf(ticket, said) }
      day = ''
    }
    for (const message of messages) {
      const on = dayOf(message.createdAt, said)
      if (on !== day) yield { kind: 'day', text: on }
      const by = message.fromMe ? company : message.contact.name || words.customer
      const block = blockOf(message, on === day && by === before ? undefined : by, said)
      yield block
      day = on
      before = block.kind === 'message' ? by : ''
    }
  }
  if (isEmpty) yield { kind: 'paragraph', text: words.empty, quiet: true }
}

/** 'Comercial · Rafael · de 24/11/2026 14:26 a 24/11/2026 15:02' */
function asideOf({ queue, person, createdAt, closedAt }: SpokenTicket, said: Spoken): string {
  const { words } = said
  const at = (instant: string) => `${dayOf(instant, said)} ${timeOf(instant, said)}`
  const time = closedAt === null ? words.since(at(createdAt)) : words.until(at(createdAt), at(closedAt))
  return [queue ?? words.noQueue, person ?? words.nobody, time].join(' · ')
}
