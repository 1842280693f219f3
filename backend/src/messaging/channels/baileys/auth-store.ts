// What a paired device remembers, in Postgres: creds and Signal keys of every type the library has or will have.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type AuthenticationCreds,
  BufferJSON,
  initAuthCreds,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys'
import { checkEpoch, FencedError } from '../../../desk/connections/ownership.ts'
import type { DriverHost } from '../../../platform/channel/driver.ts'
import { getSql, isDatabaseReachable } from '../../../platform/database/raw.ts'

/**
 * Runs what opens a received message. Its key writes are committed without waiting for the disk: should the database itself crash and
 * forget the last of them, the older session opens the next messages as well, and the message was stored before. Writes for what
 * we send wait, and with them everything committed earlier.
 */
const opening = new AsyncLocalStorage<true>()

export function runWhileOpening<T>(work: () => Promise<T>): Promise<T> {
  return opening.run(true, work)
}

export type AuthOwner = Pick<DriverHost, 'db' | 'connectionId' | 'epoch'>

interface Entry {
  readonly type: string
  readonly id: string
  readonly value: unknown
}

export class AuthStore implements SignalKeyStore {
  private saving: Promise<void> | null = null
  private again = false
  private closed = false
  private readonly underWay = new Set<Promise<void>>()

  constructor(
    private readonly owner: AuthOwner,
    /** Called once when a write was refused because another process took the connection over. */
    private readonly onFenced: () => void,
  ) {}

  /**
   * The stored creds, or fresh ones. A pairing by code that was given up leaves a `me` nobody agreed to, with which the
   * next login would be answered 401: creds without `account` are thrown away.
   */
  async load(): Promise<{ creds: AuthenticationCreds; paired: boolean }> {
    const found = await this.read('creds', ['creds'])
    const creds = found.get('creds')
    if (isCreds(creds) && !(creds.me && !creds.account)) return { creds, paired: Boolean(creds.me) }
    if (creds !== undefined) await this.forget()
    return { creds: initAuthCreds(), paired: false }
  }

  /** Writes the creds whole, one write at a time; resolves when this state or a newer one is stored. */
  async saveCreds(creds: AuthenticationCreds): Promise<void> {
    if (this.saving) {
      this.again = true
      return this.saving
    }
    this.saving = this.saveUntilSettled(creds).finally(() => {
      this.saving = null
    })
    return this.saving
  }

  private async saveUntilSettled(creds: AuthenticationCreds): Promise<void> {
    do {
      this.again = false
      await this.write([{ type: 'creds', id: 'creds', value: creds }])
    } while (this.again)
  }

  async get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    const found: { [id: string]: SignalDataTypeMap[T] } = {}
    for (const [id, value] of await this.read(type, ids)) {
      const revived: unknown = type === 'app-state-sync-key' ? syncKey(value) : value
      if (isValue<SignalDataTypeMap[T]>(revived)) found[id] = revived
    }
    return found
  }

  /** One map is one commit of a Signal transaction, so it is one transaction here too: 812 rows at the first login. */
  async set(data: SignalDataSet): Promise<void> {
    const entries: Entry[] = []
    for (const [type, byId] of Object.entries(data))
      for (const [id, value] of Object.entries(byId ?? {})) entries.push({ type, id, value })
    if (entries.length === 0 || this.closed) return
    const writing = this.write(entries)
    this.underWay.add(writing)
    await writing.finally(() => this.underWay.delete(writing))
  }

  /**
   * The socket of this store is closed: what its last handlers still want to write is dropped. Nothing they do leaves the
   * process any more, and written late it would overwrite what the next socket reads now.
   */
  close(): void {
    this.closed = true
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.saving, ...this.underWay])
  }

  /** Throws `Fenced` when another process took the connection over: two sockets with one auth state ruin it. */
  async assertOwner(): Promise<void> {
    await this.inFence(async () => {})
  }

  /** Forgets the pairing. */
  async forget(): Promise<void> {
    await this.inFence(async sql => {
      await forgetPairing(sql, this.owner.connectionId)
    })
  }

  /** One small value beside the keys, kept when the pairing is forgotten. */
  async readVersion(): Promise<unknown> {
    return (await this.read('client-version', ['last'])).get('last')
  }

  async writeVersion(version: unknown): Promise<void> {
    await this.write([{ type: 'client-version', id: 'last', value: version }])
  }

  private async read(type: string, ids: readonly string[]): Promise<Map<string, unknown>> {
    if (ids.length === 0) return new Map()
    const rows = await this.patiently(
      () => getSql(this.owner.db)<{ key_id: string; value: string }[]>`
        select key_id, value::text as value from whatsapp_auth
        where whatsapp_id = ${this.owner.connectionId} and type = ${type} and key_id in ${getSql(this.owner.db)([...ids])}`,
    )
    return new Map(rows.map(row => [row.key_id, JSON.parse(row.value, BufferJSON.reviver)]))
  }

  private async write(entries: readonly Entry[]): Promise<void> {
    const gone = entries.filter(entry => entry.value === null || entry.value === undefined)
    const present = entries.filter(entry => entry.value !== null && entry.value !== undefined)
    const values = present.map(entry => JSON.stringify(entry.value, BufferJSON.replacer))
    const id = this.owner.connectionId
    await this.inFence(async sql => {
      if (gone.length > 0)
        await sql`
          delete from whatsapp_auth a using unnest(${gone.map(entry => entry.type)}::text[], ${gone.map(entry => entry.id)}::text[]) g (type, key_id)
          where a.whatsapp_id = ${id} and a.type = g.type and a.key_id = g.key_id`
      if (present.length > 0)
        await sql`
          insert into whatsapp_auth (whatsapp_id, type, key_id, value)
          select ${id}, type, key_id, value::jsonb
          from unnest(${present.map(entry => entry.type)}::text[], ${present.map(entry => entry.id)}::text[], ${values}::text[]) n (type, key_id, value)
          on conflict (whatsapp_id, type, key_id) do update set value = excluded.value`
    })
  }

  /** The row lock keeps a take-over waiting until this write is through: after it, no older owner's write can follow. */
  private async inFence(work: (sql: ReturnType<typeof getSql>) => Promise<void>): Promise<void> {
    const { db, connectionId, epoch } = this.owner
    try {
      await this.patiently(() =>
        db.transaction(async tx => {
          const sql = getSql(tx)
          const unhurried = opening.getStore() && sql`set local synchronous_commit = off`
          await Promise.all([checkEpoch(tx, { whatsappId: connectionId, epoch }), unhurried])
          await work(sql)
        }),
      )
    } catch (error) {
      if (error instanceof FencedError) this.onFenced()
      throw error
    }
  }

  /**
   * While the database is away a socket's keys wait for it. Told that they cannot be had, the library would take a session for missing, or
   * refuse the message it is opening, which WhatsApp then drops.
   */
  private async patiently<T>(work: () => PromiseLike<T>): Promise<T> {
    for (let refusals = 0; ; ) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof FencedError || this.closed) throw error
        if (await isDatabaseReachable(this.owner.db)) refusals++
        if (refusals > REFUSALS) throw error
        await Bun.sleep(PAUSE_MS)
      }
    }
  }
}

/** The version of the client is no part of a pairing. */
export async function forgetPairing(sql: ReturnType<typeof getSql>, connectionId: number): Promise<void> {
  await sql`delete from whatsapp_auth where whatsapp_id = ${connectionId} and type <> 'client-version'`
}

/** A database that is there and refuses so often will not change its mind. */
const REFUSALS = 5
const PAUSE_MS = 200

function isCreds(value: unknown): value is AuthenticationCreds {
  return typeof value === 'object' && value !== null && 'noiseKey' in value && 'advSecretKey' in value
}

function isValue<T>(value: unknown): value is T {
  return value !== undefined && value !== null
}

/** Sync keys are protocol objects: the library calls methods of their class. */
function syncKey(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? proto.Message.AppStateSyncKeyData.fromObject(value) : value
}
