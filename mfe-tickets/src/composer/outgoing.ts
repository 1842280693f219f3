// What was written here and is not yet known to be on the server: shown at once, sent in order within a ticket, tried again
// under the same `clientId` (the server answers a repeat with the same message), kept over a reload. Files live in memory
// until they are uploaded; after that their `uploadId` is kept too. Each window sends its own: what another one has begun may
// stand behind a file that only that one has.

import type { Choices, Message, QuotedMessage } from '@balcao/contract'
import type { MemberMention } from '@balcao/contract/messages/member-mentions'
import { makeId } from '@balcao/ui/browser'

export interface OutgoingFile {
  readonly name: string
  readonly mime: string
  readonly size: number
  readonly voice: boolean
  readonly seconds: number | null
  readonly waveform: readonly number[] | null
}

export interface UnsentMessage {
  readonly clientId: string
  readonly ticketId: number
  readonly body: string
  readonly quoted: QuotedMessage | null
  /** Of a text in a group: whom its names mean; of a comment: who is asked in by it. */
  readonly members?: readonly MemberMention[]
  readonly choices?: Choices
  readonly file: OutgoingFile | null
  readonly uploadId: string | null
  readonly createdAt: string
  /** The window that sends it. */
  readonly windowId?: string
  /** `refused`: the server said no, only the person can go on. */
  readonly state: 'waiting' | 'posting' | 'refused'
  /** A try has failed: it waits for a better moment. */
  readonly isDelayed?: boolean
  /** Text of the refusal. */
  readonly error: string | null
  /** 0 to 1 while a file goes up. */
  readonly progress: number
}

export interface OutgoingOptions {
  post(entry: UnsentMessage): Promise<Message>
  upload(file: File, ticketId: number, voice: boolean, progress: (part: number) => void): Promise<string>
  /** The text of a refusal, or null where trying again may help (no network, server busy). */
  refusal(error: unknown): string | null
  sent(message: Message): void
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  readonly userId: number
  readonly windowId: string
  /** Calls once that window is gone, for one window of those that wait for it after the other. */
  afterWindow(windowId: string, adopt: () => void): void
  now(): Date
}

const BACKOFF_MS = [1000, 2000, 4000, 8000, 15_000, 30_000]

export class OutgoingQueue {
  private entries: readonly UnsentMessage[] = []
  private readonly files = new Map<string, File>()
  private readonly busy = new Set<number>()
  private readonly posts = new Set<Promise<unknown>>()
  private readonly followed = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  private stopped = false

  constructor(private readonly options: OutgoingOptions) {
    this.entries = this.stored()
    for (const windowId of new Set(this.entries.map(entry => entry.windowId))) this.follow(windowId)
  }

  /** All entries, oldest first; a fresh array after each change. */
  all = (): readonly UnsentMessage[] => this.entries

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Shows it at once and begins to send. Returns the `clientId`. */
  add(
    entry: Pick<UnsentMessage, 'ticketId' | 'body' | 'quoted' | 'members' | 'choices'>,
    file?: File,
    about?: Partial<OutgoingFile>,
  ): string {
    const clientId = makeId()
    if (file) this.files.set(clientId, file)
    const added: UnsentMessage = {
      ...entry,
      clientId,
      file: file
        ? {
            name: file.name,
            mime: file.type || 'application/octet-stream',
            size: file.size,
            voice: about?.voice ?? false,
            seconds: about?.seconds ?? null,
            waveform: about?.waveform ?? null,
          }
        : null,
      uploadId: null,
      createdAt: this.computeInstant(),
      windowId: this.options.windowId,
      state: 'waiting',
      error: null,
      progress: 0,
    }
    this.entries = [...this.entries, added]
    this.keep(added)
    this.changed()
    void this.sendLane(added.ticketId)
    return clientId
  }

  /** Now, but after the last one: by it they are put in order where they come from the storage. */
  private computeInstant(): string {
    const last = this.entries.at(-1)
    return new Date(Math.max(+this.options.now(), last ? Date.parse(last.createdAt) + 1 : 0)).toISOString()
  }

  /** The file of an entry, while it is in memory (for its preview). */
  fileOf(clientId: string): File | undefined {
    return this.files.get(clientId)
  }

  /** Whether something waits that a reload would lose: a file that is not up yet. */
  holdsFiles(): boolean {
    return this.entries.some(entry => entry.file !== null && entry.uploadId === null)
  }

  /** Tries a refused entry again, under the same `clientId`. */
  retry(clientId: string) {
    this.update(clientId, { state: 'waiting', error: null, windowId: this.options.windowId })
    this.wake()
  }

  discard(clientId: string) {
    this.drop(clientId)
    this.wake()
  }

  /** A message is on the server: its entry has done its work. */
  settle(message: Pick<Message, 'clientId'>) {
    if (message.clientId && this.entries.some(entry => entry.clientId === message.clientId)) this.drop(message.clientId)
  }

  /** Tries everything that waits, now: the network is back, the page was loaded, the live line stands again. */
  wake() {
    clearTimeout(this.timer)
    this.timer = undefined
    for (const ticketId of new Set(this.entries.map(entry => entry.ticketId))) void this.sendLane(ticketId)
  }

  /**
   * The person has left: what is on its way is finished, what waits is sent when they come back. Resolves with what has not gone
   * out by then and is not known to them as refused.
   */
  async stop(): Promise<readonly UnsentMessage[]> {
    this.stopped = true
    clearTimeout(this.timer)
    await Promise.allSettled(this.posts)
    return this.entries.filter(entry => entry.state !== 'refused')
  }

  /** Another window has changed what is stored under this key: what has to wait there waits here too, in case that window goes. */
  hear(key: string) {
    if (!key.startsWith(this.key(''))) return
    const left = readEntry(this.options.storage.getItem(key))
    if (left?.isDelayed || this.entries.some(({ clientId }) => this.key(clientId) === key)) this.take(key)
    this.follow(left?.windowId)
  }

  private async sendLane(ticketId: number) {
    if (this.busy.has(ticketId)) return
    this.busy.add(ticketId)
    try {
      for (let next = this.next(ticketId); next; next = this.next(ticketId)) {
        if (!(await this.send(next))) break
      }
    } finally {
      this.busy.delete(ticketId)
    }
  }

  private next(ticketId: number): UnsentMessage | undefined {
    if (this.stopped) return undefined
    const { windowId } = this.options
    return this.entries.find(
      entry => entry.ticketId === ticketId && entry.state !== 'refused' && (entry.windowId ?? windowId) === windowId,
    )
  }

  private follow(windowId: string | undefined) {
    if (!windowId || windowId === this.options.windowId || this.followed.has(windowId)) return
    this.followed.add(windowId)
    this.options.afterWindow(windowId, () => !this.stopped && this.adopt(windowId))
  }

  /** Puts an entry here as it is stored, or takes it away. */
  private take(key: string) {
    const left = readEntry(this.options.storage.getItem(key))
    const isKnown = (entry: UnsentMessage) => this.key(entry.clientId) === key
    if (!left) this.entries = this.entries.filter(entry => !isKnown(entry))
    else if (this.entries.some(isKnown)) this.entries = this.entries.map(each => (isKnown(each) ? resume(left) : each))
    else this.entries = sortByAge([...this.entries, resume(left)])
    this.changed()
    this.follow(left?.windowId)
  }

  /** What that window has left is sent from here, unless another one was faster. */
  private adopt(windowId: string) {
    const isLeft = (entry: UnsentMessage) => entry.windowId === windowId
    for (const { clientId } of [...this.entries, ...this.stored()].filter(isLeft)) this.take(this.key(clientId))
    for (const { clientId } of this.entries.filter(isLeft)) this.update(clientId, { windowId: this.options.windowId })
    // It may yet be heard of what it wrote last.
    this.followed.delete(windowId)
    this.wake()
  }

  /** False: the lane waits for a better moment. */
  private async send(entry: UnsentMessage): Promise<boolean> {
    this.update(entry.clientId, { state: 'posting' })
    try {
      const uploadId = entry.file && !entry.uploadId ? await this.uploadFile(entry) : entry.uploadId
      const message = await this.post({ ...entry, uploadId })
      this.failures = 0
      if (!this.stopped) this.options.sent(message)
      this.drop(entry.clientId)
      return true
    } catch (error) {
      const refusal = this.stopped ? null : this.options.refusal(error)
      if (refusal !== null) {
        this.update(entry.clientId, { state: 'refused', error: refusal })
        return true
      }
      this.update(entry.clientId, { state: 'waiting', isDelayed: true, progress: 0 })
      this.tryLater()
      return false
    }
  }

  private async post(entry: UnsentMessage): Promise<Message> {
    const posted = this.options.post(entry)
    this.posts.add(posted)
    try {
      return await posted
    } finally {
      this.posts.delete(posted)
    }
  }

  private async uploadFile(entry: UnsentMessage): Promise<string> {
    const file = this.files.get(entry.clientId)
    if (!file) throw new Error('the file of this entry is gone')
    const uploadId = await this.options.upload(file, entry.ticketId, entry.file?.voice ?? false, progress =>
      this.update(entry.clientId, { progress }, false),
    )
    this.update(entry.clientId, { uploadId, progress: 1 })
    return uploadId
  }

  private tryLater() {
    const wait = BACKOFF_MS[Math.min(this.failures, BACKOFF_MS.length - 1)]
    this.failures += 1
    if (this.stopped) return
    this.timer ??= setTimeout(() => this.wake(), wait)
  }

  private update(clientId: string, change: Partial<UnsentMessage>, keep = true) {
    this.entries = this.entries.map(entry => {
      if (entry.clientId !== clientId) return entry
      const changed = { ...entry, ...change }
      if (keep) this.keep(changed)
      return changed
    })
    this.changed()
  }

  private drop(clientId: string) {
    this.entries = this.entries.filter(entry => entry.clientId !== clientId)
    this.files.delete(clientId)
    this.options.storage.removeItem(this.key(clientId))
    this.changed()
  }

  private changed() {
    for (const listener of this.listeners) listener()
  }

  private key(clientId: string) {
    return `balcao.outgoing.${this.options.userId}.${clientId}`
  }

  /** One key an entry, so two windows never overwrite each other's. */
  private keep(entry: UnsentMessage) {
    if (entry.file && !entry.uploadId) return
    try {
      this.options.storage.setItem(this.key(entry.clientId), JSON.stringify(entry))
    } catch {
      // Storage is full or forbidden: the entry still lives as long as the page.
    }
  }

  private stored(): UnsentMessage[] {
    const { storage } = this.options
    const prefix = this.key('')
    const found: UnsentMessage[] = []
    for (let index = 0; index < storage.length; index++) {
      const key = storage.key(index)
      const entry = key?.startsWith(prefix) ? readEntry(storage.getItem(key)) : null
      if (entry) found.push(resume(entry))
    }
    return sortByAge(found)
  }
}

/** Those of one instant, as words and their files are, stay as they stand. */
function sortByAge(entries: readonly UnsentMessage[]): UnsentMessage[] {
  return entries.toSorted((a, b) => Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt))
}

/** As another window has kept it: what that one was posting waits here. */
function resume(entry: UnsentMessage): UnsentMessage {
  return { ...entry, state: entry.state === 'refused' ? 'refused' : 'waiting' }
}

function readEntry(text: string | null): UnsentMessage | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isEntry(value) ? value : null
  } catch {
    return null
  }
}

function isEntry(value: unknown): value is UnsentMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'clientId' in value &&
    typeof value.clientId === 'string' &&
    'ticketId' in value &&
    typeof value.ticketId === 'number' &&
    'body' in value &&
    typeof value.body === 'string' &&
    'createdAt' in value &&
    typeof value.createdAt === 'string'
  )
}
