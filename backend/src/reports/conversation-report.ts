// The report of a contact's conversations as PDF and as sheet. More than ten thousand messages are several documents in one archive.
import type { Message } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { pathOf } from '../media/store.ts'
import type { Block, DocumentHead, Language } from '../pdf/document.ts'
import { type PdfLimits, pdfOf } from '../pdf/write.ts'
import { zipOf } from '../sheets/xlsx.ts'
import { type Batch, type ConversationAsked, countSpoken, type SpokenTicket, spokenIn } from './conversation.ts'
import { blockOf, dayOf, fileOf, type Spoken, spoken, stateOf, textOf, timeOf } from './conversation-message.ts'

/** So many messages are one document. */
export const MESSAGES_A_PART = 10_000

export interface ConversationReport extends ConversationAsked {
  readonly language: Language
  readonly timezone: string
  /** As the customer knows it. */
  readonly company: string
  /** Called with how many messages were taken so far; what it throws ends the report. */
  readonly told?: (done: number) => Promise<void>
}

/** Which of several documents it is, also in words ('parte 2 de 3'); null where there is one. */
export type PartOf = { readonly number: number; readonly of: number; readonly text: string } | null

interface Place {
  readonly db: Db
  readonly dataDir: string
}

export interface ConversationFile {
  readonly ending: 'pdf' | 'zip'
  /** Messages, as they were counted before. */
  readonly total: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * The report as it is written: one PDF, or an archive of several. `headOf` says what stands above each, `name` how their files begin.
 * Taking the bytes throws what `told` and `pdfOf` throw.
 */
export async function conversationPdf(
  place: Place,
  report: ConversationReport,
  headOf: (part: PartOf) => DocumentHead,
  { name, most = MESSAGES_A_PART, ...limits }: PdfLimits & { readonly name: string; readonly most?: number },
): Promise<ConversationFile> {
  const said = spokenOf(place, report)
  const total = await countSpoken(place.db, report)
  const parts = partsIn(counted(place.db, report), total > most ? most : Number.POSITIVE_INFINITY)
  const pdf = (part: PartOf, batches: AsyncIterable<Batch>) =>
    pdfOf({ head: headOf(part), blocks: blocksOf(batches, report, said) }, limits)

  async function* files() {
    let number = 0
    for await (const batches of parts) {
      number++
      // More may have come meanwhile.
      const of = Math.max(Math.ceil(total / most), number)
      yield { name: `${name}-${number}.pdf`, bytes: pdf({ number, of, text: said.words.part(number, of) }, batches) }
    }
  }

  async function* one() {
    for await (const batches of parts) yield* pdf(null, batches)
  }

  return total > most ? { ending: 'zip', total, bytes: zipOf(files()) } : { ending: 'pdf', total, bytes: one() }
}

/** The same as rows of a sheet, its heading first. */
export async function* conversationRows(place: Place, report: ConversationReport): AsyncGenerator<string[]> {
  const said = spokenOf(place, report)
  yield [...said.words.columns]
  for await (const { ticket, messages } of counted(place.db, report))
    for (const message of messages) yield rowOf(message, ticket, report, said)
}

function rowOf(message: Message, { id, queue }: SpokenTicket, { company }: ConversationReport, said: Spoken): string[] {
  const { words } = said
  const { mediaType, createdAt, contact, user, transcription } = message
  const { name, size } = fileOf(message, said)
  const by = mediaType === 'system' ? '' : message.fromMe ? company : contact.name || words.customer
  return [
    ...[String(id), queue ?? words.noQueue, dayOf(createdAt, said), timeOf(createdAt, said), by, user?.name ?? ''],
    ...[words.kinds[mediaType] ?? '', textOf(message, said), transcription ?? '', name, size, stateOf(message, words)],
  ]
}

/** Batches, and word of each to who waits. */
async function* counted(db: Db, report: ConversationReport): AsyncGenerator<Batch> {
  let done = 0
  for await (const batch of spokenIn(db, report)) {
    yield batch
    done += batch.messages.length
    await report.told?.(done)
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

async function* blocksOf(
  batches: AsyncIterable<Batch>,
  report: ConversationReport,
  said: Spoken,
): AsyncGenerator<Block> {
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
      const by = message.fromMe ? report.company : message.contact.name || words.customer
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

function spokenOf({ dataDir }: Place, { language, timezone }: ConversationReport): Spoken {
  return spoken(language, timezone, url => pathOf(dataDir, url.slice(url.lastIndexOf('/') + 1)))
}
