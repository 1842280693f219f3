// What a driver says of its connection, written down for every screen, and only by the connection's owner.
import { FencedError, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { publishConnectionEvents } from '../../desk/connections/present.ts'
import { deletePhoneBook } from '../../desk/phone-book/book.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { stopConnectionSends } from '../sends/stop.ts'
import { resumeWaitingSends, waitForConnection } from '../sends/waiting.ts'

export type StatusEvent = Extract<ChannelEvent, { type: 'status' }>

const UNLINKED: readonly StatusEvent['status'][] = ['qrcode', 'PAIRING', 'LOGGEDOUT']

/** Stores a status with its live events. Throws `Fenced` when the connection has a newer owner. */
export async function storeStatus(db: Db, { whatsappId, epoch }: OwnedConnection, event: StatusEvent): Promise<void> {
  await runInTransaction(db, async tx => {
    const { status, trouble } = event
    const rows = await getSql(tx)`
      update whatsapp set status = ${status},
        qrcode = ${status === 'qrcode' ? (event.qr ?? null) : null},
        qr_expires_at = ${status === 'qrcode' && event.qrExpiresAt ? new Date(event.qrExpiresAt).toISOString() : null},
        pair_code = ${status === 'PAIRING' ? (event.code ?? null) : null},
        trouble = case when ${trouble === undefined && status !== 'CONNECTED'} then trouble else ${trouble ? JSON.stringify(trouble) : null}::text::jsonb end,
        retries = ${status === 'CONNECTED' ? 0 : (trouble?.attempt ?? 0)},
        number = coalesce(${event.me?.pn ?? null}, number), battery = coalesce(${event.battery ?? null}::int, battery),
        updated_at = now(), version = version + 1
      where id = ${whatsappId} and epoch = ${epoch} returning 1`
    if (rows.length === 0) throw new FencedError()
    if (status === 'CONNECTED') await resumeWaitingSends(tx, whatsappId)
    else if (trouble?.reason === 'banned') await stopConnectionSends(tx, whatsappId, 'blocked')
    else await waitForConnection(tx, whatsappId)
    // Who is to be linked now may have another phone.
    if (UNLINKED.includes(status)) await deletePhoneBook(tx, whatsappId)
    await publishConnectionEvents(tx, [whatsappId], 'update')
  })
}
