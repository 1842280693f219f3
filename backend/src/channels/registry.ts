// The kinds of connection there are, what each can do, and how a driver of it is made.
import type { Capabilities, Kind } from '@balcao/contract'
import { MB } from '@balcao/contract/limits'
import { BAILEYS_CAPABILITIES, createBaileysDriver } from './baileys/driver.ts'
import { CLOUD_API_CAPABILITIES, createCloudApiDriver } from './cloud-api/driver.ts'
import { ChannelError, type Driver, type DriverConnection, type DriverHost } from './driver.ts'

/** A linked device like `baileys`, driven through a browser. */
const WWEBJS_CAPABILITIES: Capabilities = { ...BAILEYS_CAPABILITIES, resendSafe: false }

/** A linked device behind a gateway, which takes larger files. */
const MEOW_CAPABILITIES: Capabilities = {
  ...BAILEYS_CAPABILITIES,
  maxBytes: { image: 20 * MB, audio: 100 * MB, video: 100 * MB, application: 100 * MB, sticker: 20 * MB },
}

const CAPABILITIES: Record<Kind, Capabilities> = {
  baileys: BAILEYS_CAPABILITIES,
  wwebjs: WWEBJS_CAPABILITIES,
  meow: MEOW_CAPABILITIES,
  cloud_api: CLOUD_API_CAPABILITIES,
}

/** The kinds this server can run; the others can be configured, but not started. */
export const RUNNABLE: readonly Kind[] = ['baileys', 'cloud_api']

/** What a kind of connection can do (spec 1 §1). */
export function capabilitiesOf(kind: Kind): Capabilities {
  return CAPABILITIES[kind]
}

/** A driver for one connection, not started. Throws `ChannelError` for a kind that is not runnable. */
export function createDriver(kind: Kind, connection: DriverConnection, host: DriverHost): Driver {
  switch (kind) {
    case 'baileys':
      return createBaileysDriver(host)
    case 'cloud_api':
      return createCloudApiDriver(connection, host)
    default:
      throw new ChannelError('not_runnable', `Connections of the kind ${kind} cannot be started on this server`)
  }
}
