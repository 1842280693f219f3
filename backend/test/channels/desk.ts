// The desk's side of a channel in tests: takes events and keeps them, gives files and remembers what was sent.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kind } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { connections } from '../../src/desk/connections/table.ts'
import {
  ChannelError,
  type ChannelEvent,
  type DriverConnection,
  type DriverHost,
  type Outgoing,
  type SendResult,
} from '../../src/platform/channel/driver.ts'
import type { Db } from '../../src/platform/database/client.ts'

export type ChannelEventKind<T extends ChannelEvent['type']> = Extract<ChannelEvent, { type: T }>

export class ChannelDesk {
  readonly events: ChannelEvent[] = []
  readonly logged: string[] = []
  readonly secrets = new Map<string, string[]>()
  readonly raws = new Map<string, unknown>()
  /** Refuses events with this error until it is cleared, as a desk whose database is away. */
  refusing: Error | null = null
  acceptsCalls = true
  isOwner = true
  /** Runs in the moment an event is taken, as a greeting does. */
  onEvent: ((event: ChannelEvent) => void) | null = null
  /** How often events were refused. */
  refused = 0
  private life = 0
  private readonly looking = new Set<() => void>()
  private readonly files = new Map<string, { path: string; size: number; mime: string; name: string }>()

  private constructor(
    readonly db: Db,
    readonly connection: DriverConnection,
    readonly config: DriverHost['config'],
    private readonly folder: string,
    public epoch: number,
  ) {}

  static async open(
    db: Db,
    kind: Kind,
    given: Pick<DriverHost['config'], 'whatsappWebUrl' | 'graph'> & Partial<DriverHost['config']>,
    own: DriverConnection['config'] = {},
  ): Promise<ChannelDesk> {
    const [row] = await db
      .insert(connections)
      .values({ name: `${kind} ${crypto.randomUUID()}`, api: kind, epoch: 1 })
      .returning({ id: connections.id })
    if (!row) throw new Error('The connection was not stored')
    const connection = { id: row.id, config: own }
    const folder = await mkdtemp(join(tmpdir(), 'balcao-desk-'))
    const config = { dataDir: folder, browserMemoryBytes: 2 ** 31, gowa: null, ...given }
    return new ChannelDesk(db, connection, config, folder, 1)
  }

  /** The process dies: whatever its driver still waits for never comes. */
  die(): void {
    this.life++
  }

  get host(): DriverHost {
    const { life } = this
    const note = (_fields: object, text: string) => void this.logged.push(text)
    return {
      connectionId: this.connection.id,
      epoch: this.epoch,
      isOwner: () => this.isOwner,
      db: this.db,
      config: this.config,
      acceptsCalls: async () => this.acceptsCalls,
      emit: async events => {
        if (life !== this.life) return new Promise(() => {})
        if (this.refusing) {
          this.refused++
          throw this.refusing
        }
        for (const event of events) {
          this.events.push(plain(event))
          if (event.type === 'message') {
            this.raws.set(event.ref.id, event.raw)
            if (event.secret) this.secrets.set(event.ref.id, [event.secret])
          }
          this.onEvent?.(event)
        }
        for (const check of [...this.looking]) check()
      },
      rawMessage: async id => this.raws.get(id) ?? null,
      secretsOf: async id => this.secrets.get(id) ?? [],
      openMedia: async id => {
        const file = this.files.get(id)
        if (!file) throw new ChannelError('no_file', `There is no file ${id}`)
        return file
      },
      log: { info: note, warn: note, error: note },
    }
  }

  all<T extends ChannelEvent['type']>(type: T): ChannelEventKind<T>[] {
    return this.events.filter((event): event is ChannelEventKind<T> => event.type === type)
  }

  /** After how many seconds the chat's messages vanish, as it was told last: by a message, or by itself. */
  get timer(): number | undefined {
    const last = this.events.findLast(
      one => one.type === 'timer' || (one.type === 'message' && one.timer !== undefined),
    )
    return last?.type === 'timer' ? last.seconds : last?.type === 'message' ? last.timer : undefined
  }

  /** Waits until an event of this type fits; looks at all that came so far. */
  async next<T extends ChannelEvent['type']>(
    type: T,
    fits: (event: ChannelEventKind<T>) => boolean = () => true,
    timeoutMs = 15_000,
  ): Promise<ChannelEventKind<T>> {
    return this.until(`an event ${type}`, () => this.all(type).find(fits), timeoutMs)
  }

  async until<T>(label: string, check: () => T | undefined | null | false, timeoutMs = 15_000): Promise<T> {
    const end = Date.now() + timeoutMs
    for (;;) {
      const found = check()
      if (found) return found
      if (Date.now() > end) {
        const last = this.events.slice(-6).map(event => JSON.stringify(event).slice(0, 300))
        throw new Error(`Not within ${timeoutMs} ms: ${label}. Last events: ${last.join('\n')}`)
      }
      await new Promise<void>(resolve => {
        const done = () => {
          clearTimeout(timer)
          this.looking.delete(done)
          resolve()
        }
        const timer = setTimeout(done, 50)
        this.looking.add(done)
      })
    }
  }

  status(): ChannelEventKind<'status'> | undefined {
    return this.all('status').at(-1)
  }

  /** Forgets what came so far, so that a test waits for news. */
  forget(): void {
    this.events.length = 0
  }

  async file(bytes: Uint8Array, mime: string, name: string): Promise<string> {
    const id = crypto.randomUUID()
    const path = join(this.folder, id)
    await writeFile(path, bytes)
    this.files.set(id, { path, size: bytes.length, mime, name })
    return id
  }

  /** Remembers what a driver gave back, as the outbox does. */
  keep(result: SendResult, _message: Outgoing): SendResult {
    if (result.ok && result.raw !== undefined) this.raws.set(result.id, plain(result.raw))
    if (result.ok && result.secret) this.secrets.set(result.id, [result.secret])
    return result
  }

  /** Another process takes the connection over. */
  async takenOver(): Promise<void> {
    await this.db
      .update(connections)
      .set({ epoch: this.epoch + 1 })
      .where(eq(connections.id, this.connection.id))
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** What is stored is JSON: an event that does not survive it is a defect. */
function plain<T>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value))
  if (!Bun.deepEquals(copy, JSON.parse(JSON.stringify(copy)))) throw new Error('Not plain JSON')
  return copy
}
