// Whether a connection takes what is written now.
import type { Kind } from '@balcao/contract/connections/kind-names'
import { getCapabilities, isLinkedDevice } from '@balcao/contract/connections/kinds'
import { formatListTime, type Texts } from '@balcao/ui/i18n'
import { type LookupConnection, useLookups } from './lookups.ts'

export interface Downtime {
  readonly api: Kind
  /** Null where nobody knows since when. */
  readonly since: string | null
}

/** What keeps a connection from sending; null while it is connected, gone or not known yet. */
export function useDown(whatsappId: number): Downtime | null {
  const { connections } = useLookups()
  const connection = connections.find(({ id }) => id === whatsappId)
  return connection ? findDowntime(connection) : null
}

export function findDowntime(connection: LookupConnection): Downtime | null {
  const { api, status } = connection
  if (status === 'CONNECTED') return null
  return { api, since: ('trouble' in connection ? connection.trouble?.since : connection.downSince) ?? null }
}

/** 'O celular está desconectado desde 09:12. Suas mensagens saem quando voltar.' */
export function describeDowntime({ api, since }: Downtime, t: Texts, now: Date): string {
  const key = isLinkedDevice(getCapabilities(api)) ? 'down.phone' : 'down.official'
  return since === null ? t(key) : t(`${key}Since`, { since: formatListTime(since, now) })
}
