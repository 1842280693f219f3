// A conversation with a message of every kind (spec 1 §3), for tests and pictures of the screen.
import { deflateSync } from 'node:zlib'
import { signIn } from '@balcao/client/session'
import type { MediaType, MessageState } from '@balcao/contract'
import type { Sql } from 'postgres'
import { findAccount } from './steps.ts'
import type { TestSystem } from './world.ts'

/** One message to put at the end of a conversation. `after` is how many seconds after the one before. */
export interface MessageFixture {
  readonly type: MediaType
  readonly body?: string
  readonly mine?: boolean
  readonly after?: number
  readonly state?: MessageState
  readonly file?: FileFixture
  readonly media?: object
  /** Further columns. */
  readonly more?: Readonly<Record<string, object | string | boolean>>
}

interface FileFixture {
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Puts messages at the end of a ticket, as if they had come and gone in the last minutes; gives their ids. */
export async function putMessages(
  world: TestSystem,
  sql: Sql,
  ticketId: number,
  messages: readonly MessageFixture[],
): Promise<number[]> {
  const [ticket] = await sql<{ contact_id: number; whatsapp_id: number; seq: number; at: Date; user_id: number }[]>`
    select contact_id, whatsapp_id, message_seq as seq, now() - interval '3 minutes' as at, user_id from ticket where id = ${ticketId}`
  if (!ticket) throw new Error(`There is no ticket ${ticketId}`)
  let at = ticket.at.getTime()
  let { seq } = ticket
  const ids: number[] = []
  for (const sample of messages) {
    at += (sample.after ?? 2) * 1000
    seq += 1
    const mediaId = sample.file ? await putFile(world, sql, ticketId, sample.file) : null
    const { mine = false, body = '', state = mine ? 'read' : 'received' } = sample
    const row = {
      ticket_id: ticketId,
      contact_id: ticket.contact_id,
      whatsapp_id: ticket.whatsapp_id,
      seq,
      at: new Date(at).toISOString(),
      from_me: mine,
      user_id: mine ? ticket.user_id : null,
      body,
      media_type: sample.type,
      media_id: mediaId,
      state,
      read: true,
      provider_id: crypto.randomUUID(),
      chat: '5531998762210@s.whatsapp.net',
    }
    const media = sample.file ? { ...READY, ...toMediaInfo(sample.file), ...sample.media } : (sample.media ?? null)
    const [made] = await sql<{ id: number }[]>`insert into message ${sql(row)} returning id::int as id`
    const id = made?.id ?? 0
    if (media) await sql`update message set media = ${JSON.stringify(media)}::text::jsonb where id = ${id}`
    for (const [column, value] of Object.entries(sample.more ?? {}))
      await (typeof value === 'object'
        ? sql`update message set ${sql(column)} = ${JSON.stringify(value)}::text::jsonb where id = ${id}`
        : sql`update message set ${sql({ [column]: value })} where id = ${id}`)
    ids.push(id)
  }
  await sql`update ticket set message_seq = ${seq} where id = ${ticketId}`
  return ids
}

const READY = { state: 'ready', seconds: null, width: null, height: null, voice: false, waveform: null, error: null }

function toMediaInfo({ name, mime, bytes }: FileFixture) {
  return { name, mime, size: bytes.byteLength }
}

async function putFile(world: TestSystem, sql: Sql, ticketId: number, file: FileFixture): Promise<string> {
  const { api } = await signIn(world.url, findAccount(world, 'admin'))
  const body = new File([file.bytes], file.name, { type: file.mime })
  const { uploadId } = await api('PUT /uploads', { query: { name: file.name }, body })
  await sql`update media set owner = 'message', ticket_id = ${ticketId} where id = ${uploadId}`
  return uploadId
}

/** A picture: two colours running into each other. */
export function makePicture(name: string, from: number, to: number, width = 320, height = 240): FileFixture {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++) {
        const shift = 16 - channel * 8
        const part = (x / width + y / height) / 2
        const value = ((from >> shift) & 255) * (1 - part) + ((to >> shift) & 255) * part
        rows[y * (width * 3 + 1) + 1 + x * 3 + channel] = Math.round(value)
      }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const bytes = Buffer.concat([
    signature,
    createPngChunk('IHDR', head),
    createPngChunk('IDAT', deflateSync(rows)),
    createPngChunk('IEND'),
  ])
  return { name, mime: 'image/png', bytes: new Uint8Array(bytes) }
}

function createPngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  whole.set(body, 4)
  whole.writeUInt32BE(Bun.hash.crc32(body), body.length + 4)
  return whole
}

/** A recording: a low hum of so many seconds. */
export function makeRecording(name: string, seconds: number): FileFixture {
  const rate = 8000
  const samples = Buffer.alloc(rate * seconds * 2)
  for (let at = 0; at < rate * seconds; at++)
    samples.writeInt16LE(Math.round(6000 * Math.sin(at / 12) * Math.sin(at / 2000)), at * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return { name, mime: 'audio/wav', bytes: new Uint8Array(Buffer.concat([head, samples])) }
}

export function makeTextFile(name: string, text: string): FileFixture {
  return { name, mime: 'text/plain', bytes: new TextEncoder().encode(text) }
}

export function makeVcard(name: string, number: string): string {
  return `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`
}
