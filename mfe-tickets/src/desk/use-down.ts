// Whether a connection takes what is written now.
import type { Kind } from '@balcao/contract/kind-names'
import { capabilitiesOf, isLinkedDevice } from '@balcao/contract/kinds'
import { formatListTime, type Texts } from '@balcao/ui/i18n'
import { type KnownConnection, useLookups } from './lookups.ts'

export interface Down {
  readonly api: Kind
  /** Null where nobody knows since when. */
  readonly since: string | null
}

/** What keeps a connection from sending; null while it is connected, gone or not known yet. */
export function useDown(whatsappId: number): Down | null {
  const { connections } = useLookups()
  const connection = connections.find(({ id }) => id === whatsappId)
  return connection ? downOf(connection) : null
}

export function downOf(connection: KnownConnection): Down | null {
  const { api, status } = connection
  if (status === 'CONNECTED') return null
  return { api, since: ('trouble' in connection ? connection.trouble?.since : connection.downSince) ?? null }
}

/** 'O celular está desconectado desde 09:12. Suas mensagens saem quando voltar.' */
export function downText({ api, since }: Down, t: Texts, now: Date): string {
  const key = isLinkedDevice(capabilitiesOf(api)) ? 'down.phone' : 'down.official'
  return since === null ? t(key) : t(`${key}Since`, { since: formatListTime(since, now) })
}
