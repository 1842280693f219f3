// What a driver says of its connection, written down for every screen, and only by the connection's owner.
import { Fenced, type Owned } from '../../desk/connections/owned.ts'
import { connectionEvents } from '../../desk/connections/present.ts'
import { forgetBook } from '../../desk/phone-book/book.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import { inTransaction } from '../../platform/database/again.ts'
import type { Db } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { stopSendsOf } from '../sends/stop.ts'
import { connectionIsBack, waitForConnection } from '../sends/waiting.ts'

export type StatusEvent = Extract<ChannelEvent, { type: 'status' }>

const UNLINKED: readonly StatusEvent['status'][] = ['qrcode', 'PAIRING', 'LOGGEDOUT']

/** Stores a status with its live events. Throws `Fenced` when the connection has a newer owner. */
export async function storeStatus(db: Db, { whatsappId, epoch }: Owned, event: StatusEvent): Promise<void> {
  await inTransaction(db, async tx => {
    const { status, trouble } = event
    const rows = await sqlOf(tx)`
      update whatsapp set status = ${status},
        qrcode = ${status === 'qrcode' ? (event.qr ?? null) : null},
        qr_expires_at = ${status === 'qrcode' && event.qrExpiresAt ? new Date(event.qrExpiresAt).toISOString() : null},
        pair_code = ${status === 'PAIRING' ? (event.code ?? null) : null},
        trouble = case when ${trouble === undefined && status !== 'CONNECTED'} then trouble else ${trouble ? JSON.stringify(trouble) : null}::text::jsonb end,
        retries = ${status === 'CONNECTED' ? 0 : (trouble?.attempt ?? 0)},
        number = coalesce(${event.me?.pn ?? null}, number), battery = coalesce(${event.battery ?? null}::int, battery),
        updated_at = now(), version = version + 1
      where id = ${whatsappId} and epoch = ${epoch} returning 1`
    if (rows.length === 0) throw new Fenced()
    if (status === 'CONNECTED') await connectionIsBack(tx, whatsappId)
    else if (trouble?.reason === 'banned') await stopSendsOf(tx, whatsappId, 'blocked')
    else await waitForConnection(tx, whatsappId)
    // Who is to be linked now may have another phone.
    if (UNLINKED.includes(status)) await forgetBook(tx, whatsappId)
    await connectionEvents(tx, [whatsappId], 'update')
  })
}
