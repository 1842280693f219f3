// What a card and a table row say about a connection, in the same words (spec 2 §2).
import type { Connection, ConnectionStatus } from '@balcao/contract'
import { LOW_BATTERY } from '@balcao/contract/connections/doctor'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { formatDateTime, type Texts } from '@balcao/ui/i18n'

export { LOW_BATTERY }

export type ConnectionTone = 'ok' | 'busy' | 'waiting' | 'danger' | 'quiet'

const TONES: Readonly<Record<ConnectionStatus, ConnectionTone>> = {
  CONNECTED: 'ok',
  qrcode: 'busy',
  PAIRING: 'busy',
  OPENING: 'waiting',
  TIMEOUT: 'danger',
  DISCONNECTED: 'danger',
  LOGGEDOUT: 'quiet',
}

/** Colour family of a connection; its word always stands beside it. */
export function getTone(connection: Pick<Connection, 'status' | 'trouble'>): ConnectionTone {
  if (isNeverPaired(connection)) return 'quiet'
  return isCodeExpired(connection) ? 'waiting' : TONES[connection.status]
}

/** Nobody read the code in time: not a failure, somebody has to ask for a new one. */
export function isCodeExpired({ status, trouble }: Pick<Connection, 'status' | 'trouble'>) {
  return (
    !isNeverPaired({ trouble }) && trouble?.next === 'read_qr' && (status === 'TIMEOUT' || status === 'DISCONNECTED')
  )
}

/** No phone was ever linked, and no code was shown that could have expired. */
export function isNeverPaired({ trouble }: Pick<Connection, 'trouble'>) {
  return trouble?.reason === 'qr_not_read' && trouble.code === 'none'
}

/** 'API 1 W · +55 31 3222-4010', or that no number is known yet. */
export function formatKindAndNumber(connection: Pick<Connection, 'api' | 'number'>, t: Texts) {
  const number = connection.number ? formatPhone(connection.number) : t('card.noNumber')
  return `${KIND_TABLE[connection.api].label} · ${number}`
}

/** '82%', '11% · bateria baixa', or null where the phone does not tell. */
export function describeBattery(battery: number | null, t: Texts): string | null {
  if (battery === null) return null
  return battery < LOW_BATTERY ? t('card.batteryLow', { percent: battery }) : `${battery}%`
}

/** 'Atualizada em 21/11/26 09:12' */
export function describeLastUpdate({ updatedAt }: Pick<Connection, 'updatedAt'>, t: Texts) {
  return t('card.updated', { when: formatDateTime(updatedAt) })
}

/** 'Última mensagem há 12 s', 'há 4 min', 'há 3 h', then the date. */
export function describeLastMessage({ lastMessageAt }: Pick<Connection, 'lastMessageAt'>, t: Texts, now: number) {
  if (!lastMessageAt) return null
  const seconds = Math.max(0, Math.floor((now - Date.parse(lastMessageAt)) / 1000))
  if (seconds < 60) return t('card.messageSeconds', { seconds })
  if (seconds < 3600) return t('card.messageMinutes', { minutes: Math.floor(seconds / 60) })
  if (seconds < 86_400) return t('card.messageHours', { hours: Math.floor(seconds / 3600) })
  return t('card.messageAt', { when: formatDateTime(lastMessageAt) })
}

/** The line under the title: how many need somebody. `none` has its own sentences. */
export function describeSummary(total: number, needing: number, t: Texts) {
  if (total === 0) return t('summary.none')
  if (needing === 0) return total === 1 ? t('summary.fineOne') : t('summary.fine')
  if (total === 1) return t('summary.onlyOne')
  if (needing === total) return t('summary.all')
  return t('summary.some', {
    needing: spellNumber(needing, t),
    total: spellNumber(total, t, true),
    count: needing,
    rest: total - needing === 1 ? t('summary.restOne') : t('summary.restMany'),
  })
}

/** One to ten in words ('Duas'), figures above. */
function spellNumber(number: number, t: Texts, inside = false) {
  if (number < 1 || number > 10) return String(number)
  const word = t(`number.${number}`)
  return inside ? word.toLowerCase() : word
}
