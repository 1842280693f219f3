// The kinds of connection: a folder each, and the one table that lists the folders. What a kind can do stands in the contract.
import type { Kind } from '@balcao/contract'
import { ChannelError, type Driver, type DriverConnection, type DriverHost } from '../../platform/channel/driver.ts'
import { BAILEYS } from './baileys/kind.ts'
import { CLOUD_API } from './cloud-api/driver.ts'
import { MEOW } from './meow/driver.ts'
import type { KindModule } from './shared/kind-module.ts'
import { WWEBJS } from './wwebjs/driver.ts'

const MODULES: Readonly<Record<Kind, KindModule>> = {
  baileys: BAILEYS,
  wwebjs: WWEBJS,
  meow: MEOW,
  cloud_api: CLOUD_API,
}

export function getKindModule(kind: Kind): KindModule {
  return MODULES[kind]
}

/** A driver for one connection, not started. Throws `ChannelError` for a kind that this server can configure, but not run. */
export async function createDriver(kind: Kind, connection: DriverConnection, host: DriverHost): Promise<Driver> {
  const driver = await getKindModule(kind).createDriver?.(connection, host)
  if (!driver)
    throw new ChannelError('not_runnable', `Connections of the kind ${kind} cannot be started on this server`)
  return driver
}
