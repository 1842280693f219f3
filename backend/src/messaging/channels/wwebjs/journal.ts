// What is being sent, written beside the profile: WhatsApp Web gives the ids and takes none of ours, so after a crash this says what to
// look for in the chats. Words are kept as a digest.
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SendCommand, WebMessage } from './protocol.ts'

/** Older ones have been settled, or put to a person. */
const KEPT_MS = 15 * 60_000
/** A clock may run a little ahead of that of the page. */
const EARLIER_MS = 5000
const REWRITE_AFTER = 500

interface Entry {
  readonly trace: string
  /** The chat's addresses, as far as they were known. */
  readonly to: string
  readonly digest: string
  readonly at: number
  id?: string
}

/** The marks of one connection that outlive its processes. */
interface Marks {
  /** When a phone was linked; nothing of before is told. */
  readonly pairedAt: number
  /** Until when what came is stored. */
  readonly seenAt: number
}

export class WebJournal {
  private readonly entries = new Map<string, Entry>()
  private lines = 0
  private marked: Marks | null

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.marked = readMarks(folder)
    for (const line of read(this.path('sends.jsonl')).split('\n')) this.take(line)
  }

  get isPaired(): boolean {
    return this.marked !== null
  }

  get pairedAt(): number {
    return this.marked?.pairedAt ?? Date.now()
  }

  /** From when on messages may be unknown here, in ms. */
  get since(): number {
    const open = [...this.entries.values()].map(({ at }) => at - EARLIER_MS)
    return Math.max(this.marked?.pairedAt ?? 0, Math.min(this.marked?.seenAt ?? Date.now(), ...open))
  }

  paired(): void {
    this.mark({ pairedAt: Date.now(), seenAt: Date.now() })
  }

  /** Everything up to this moment (ms) is stored. */
  seen(at: number): void {
    if (this.marked && at > this.marked.seenAt + 1000) this.mark({ ...this.marked, seenAt: at })
  }

  forget(): void {
    this.marked = null
    this.entries.clear()
    for (const name of ['marks.json', 'sends.jsonl', 'session', 'files'])
      rmSync(this.path(name), { recursive: true, force: true, maxRetries: 3 })
  }

  begun(trace: string, command: SendCommand): void {
    this.note({ trace, to: command.to, digest: digestOfCommand(command), at: Date.now() })
  }

  /** The page gave it this id. */
  named(trace: string, id: string): void {
    const entry = this.entries.get(trace)
    if (entry) this.note({ ...entry, id })
  }

  /** It certainly did not go out. */
  dropped(trace: string): void {
    this.entries.delete(trace)
    this.append({ dropped: trace })
  }

  /**
   * The trace of a message of ours that a chat holds; null: somebody wrote it on the phone. `names`: the chat's addresses. Each is found
   * once.
   */
  traceOf(message: WebMessage, names: readonly string[]): string | null {
    for (const entry of this.entries.values()) if (entry.id === message.id.id) return entry.trace
    const digest = digestOfMessage(message)
    for (const entry of this.entries.values()) {
      if (entry.id || entry.digest !== digest || !names.includes(entry.to)) continue
      if (message.t * 1000 < entry.at - EARLIER_MS) continue
      this.note({ ...entry, id: message.id.id })
      return entry.trace
    }
    return null
  }

  private note(entry: Entry): void {
    this.entries.set(entry.trace, entry)
    this.append(entry)
  }

  private append(line: Entry | { readonly dropped: string }): void {
    if (++this.lines > REWRITE_AFTER) this.rewrite()
    else appendFileSync(this.path('sends.jsonl'), `${JSON.stringify(line)}\n`)
  }

  private rewrite(): void {
    for (const { trace, at } of [...this.entries.values()]) if (at < Date.now() - KEPT_MS) this.entries.delete(trace)
    const lines = [...this.entries.values()].map(entry => `${JSON.stringify(entry)}\n`)
    writeFileSync(this.path('sends.jsonl'), lines.join(''))
    this.lines = lines.length
  }

  private take(line: string): void {
    if (line === '') return
    this.lines++
    try {
      const entry: Entry | { dropped: string } = JSON.parse(line)
      if ('dropped' in entry) this.entries.delete(entry.dropped)
      else if (entry.at > Date.now() - KEPT_MS) this.entries.set(entry.trace, entry)
    } catch {
      // The power was cut in the middle of a line.
    }
  }

  private mark(marks: Marks): void {
    this.marked = marks
    // Half a file would be a pairing forgotten.
    writeFileSync(this.path('marks.part'), JSON.stringify(marks))
    renameSync(this.path('marks.part'), this.path('marks.json'))
  }

  private path(name: string): string {
    return join(this.folder, name)
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether the profile in this folder is linked to a phone. Each that a driver was made for has a folder. */
export function isPaired(folder: string): boolean {
  return readMarks(folder) !== null
}

function readMarks(folder: string): Marks | null {
  try {
    return JSON.parse(read(join(folder, 'marks.json')))
  } catch {
    return null
  }
}

function digestOfCommand(command: SendCommand): string {
  switch (command.kind) {
    case 'text':
      return digest('chat', command.text)
    case 'media':
      return digest(TYPES[command.as], command.as === 'sticker' ? '' : (command.caption ?? ''))
    case 'location':
      return digest('location', `${command.lat} ${command.lng}`)
    case 'contacts':
      return digest('cards', command.cards.map(({ vcard }) => vcard).join('\n'))
  }
}

const TYPES = { image: 'image', video: 'video', audio: 'audio', voice: 'ptt', document: 'document', sticker: 'sticker' }

function digestOfMessage({ type, body, caption, lat, lng, vcardList }: WebMessage): string {
  if (type === 'location') return digest(type, `${lat} ${lng}`)
  if (type === 'vcard') return digest('cards', String(body ?? ''))
  if (type === 'multi_vcard' && Array.isArray(vcardList))
    return digest('cards', vcardList.map(card => card?.vcard).join('\n'))
  return digest(type, String((type === 'chat' ? body : caption) ?? ''))
}

function digest(type: string, words: string): string {
  return createHash('sha256').update(`${type}\n${words}`).digest('base64url')
}
