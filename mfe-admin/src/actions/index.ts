// Everything a person can do on the page of connections, by the names that `offers.ts` gives.
import type { Connection } from '@balcao/contract'
import { errorText } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import type { Desk } from '../connections/desk.ts'
import type { MenuOffer, Offer } from '../connections/offers.ts'
import type { ConnectionAction } from './action.ts'
import { disconnect } from './disconnect.ts'
import { edit } from './edit.ts'
import { newQr } from './new-qr.ts'
import { pair } from './pair.ts'
import { remove } from './remove.ts'
import { restart } from './restart.ts'
import { reconnect, retry } from './retry.ts'
import { showQr } from './show-qr.ts'
import { token } from './token.ts'
import { webhook } from './webhook.ts'

export type { ConnectionAction } from './action.ts'
export { addConnection } from './add.ts'
export { refreshConnections } from './refresh.ts'

const ACTIONS: Readonly<Record<Exclude<Offer, 'connecting'> | MenuOffer, ConnectionAction>> = {
  qr: showQr,
  pair,
  retry,
  newQr,
  disconnect,
  token,
  edit,
  restart,
  webhook,
  delete: remove,
}

/** The action behind an offer; a kind that reconnects says 'Reconectar' where the others say 'Tentar de novo'. */
export function actionOf(
  offer: Exclude<Offer, 'connecting'> | MenuOffer,
  connection: Pick<Connection, 'capabilities'>,
) {
  return offer === 'retry' && connection.capabilities.reconnect ? reconnect : ACTIONS[offer]
}

/** Performs it and says what went wrong, if something did. */
export async function carryOut(action: ConnectionAction, connection: Connection, desk: Desk) {
  try {
    await action.perform(connection, desk)
  } catch (error) {
    toast.error(errorText(error))
  }
}
