// What we remember of a pairing that the gateway keeps: since when it is, and until when all that was said is here.
import { and, eq } from 'drizzle-orm'
import { checkEpoch } from '../../../desk/connections/ownership.ts'
import { connectionAuth } from '../../../desk/connections/table.ts'
import type { DriverHost } from '../../../platform/channel/driver.ts'
import { isRecord, toNumber, toText } from '../shared/json.ts'

export interface Pairing {
  /** The account. */
  readonly jid: string
  /** In ms: what is older was never ours. */
  readonly since: number
  /** In ms: what is younger may have been missed. */
  readonly readUntil: number
}

const NAME = { type: 'gowa', keyId: 'pairing' }

export class Memory {
  constructor(private readonly host: Pick<DriverHost, 'db' | 'connectionId' | 'epoch'>) {}

  async read(): Promise<Pairing | null> {
    const [row] = await this.host.db.select({ value: connectionAuth.value }).from(connectionAuth).where(this.here)
    const { value } = row ?? {}
    const jid = isRecord(value) ? toText(value.jid) : undefined
    if (!isRecord(value) || !jid) return null
    return { jid, since: toNumber(value.since) || 0, readUntil: toNumber(value.readUntil) || 0 }
  }

  /** Throws `Fenced` when another process runs the connection. */
  async keep(value: Pairing): Promise<void> {
    const { db, connectionId: whatsappId, epoch } = this.host
    await db.transaction(async tx => {
      await checkEpoch(tx, { whatsappId, epoch })
      await tx
        .insert(connectionAuth)
        .values({ whatsappId, ...NAME, value })
        .onConflictDoUpdate({
          target: [connectionAuth.whatsappId, connectionAuth.type, connectionAuth.keyId],
          set: { value },
        })
    })
  }

  async forget(): Promise<void> {
    await this.host.db.delete(connectionAuth).where(this.here)
  }

  private get here() {
    const { whatsappId, type, keyId } = connectionAuth
    return and(eq(whatsappId, this.host.connectionId), eq(type, NAME.type), eq(keyId, NAME.keyId))
  }
}
