// What a card and a table row show of how a connection is doing.
import type { Connection, ConnectionStatus } from '@balcao/contract'
import { isLinkedDevice } from '@balcao/contract/connections/kinds'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, joinClasses, StatusPill } from '@balcao/ui/parts'
import {
  Check,
  Hourglass,
  type LucideIcon,
  Phone,
  QrCode,
  Smartphone,
  TriangleAlert,
  Unplug,
  WifiOff,
  Zap,
} from 'lucide-react'
import { type ConnectionTone, getTone, isCodeExpired, isNeverPaired } from './facts.ts'
import { describeTrouble } from './trouble.ts'

const ICONS: Readonly<Record<ConnectionStatus, LucideIcon>> = {
  CONNECTED: Check,
  qrcode: QrCode,
  PAIRING: Smartphone,
  OPENING: Hourglass,
  TIMEOUT: WifiOff,
  DISCONNECTED: TriangleAlert,
  LOGGEDOUT: Unplug,
}

const TINTS: Readonly<Record<ConnectionTone, string>> = {
  ok: 'bg-ok-tint text-ok',
  busy: 'bg-primary-tint text-primary-text',
  waiting: 'bg-brass-tint text-brass-text',
  danger: 'bg-danger-tint text-danger',
  quiet: 'bg-sunken text-text-2',
}

/** The word of a status with its icon and colour: 'Conectada', 'Aguardando leitura', 'Desconectada'. */
export function StatusOf({ connection }: { readonly connection: Pick<Connection, 'status' | 'trouble'> }) {
  const t = useTexts('connections')
  const expired = isCodeExpired(connection)
  const word = expired ? 'expired' : isNeverPaired(connection) ? 'LOGGEDOUT' : connection.status
  return (
    <StatusPill kind={getTone(connection)} icon={word === 'expired' ? QrCode : ICONS[word]}>
      <span>{t(`status.${word}`)}</span>
    </StatusPill>
  )
}

/** The square at the left of a card: how the connection is doing, at a glance. */
export function KindIcon({ connection }: { readonly connection: Connection }) {
  const tone = getTone(connection)
  return (
    <span
      className={joinClasses('grid size-11 flex-none place-items-center rounded-card', TINTS[tone])}
      aria-hidden="true"
    >
      <Icon of={getConnectionIcon(connection.capabilities, tone)} />
    </span>
  )
}

function getConnectionIcon(can: Connection['capabilities'], tone: ConnectionTone) {
  if (tone === 'danger') return WifiOff
  if (!isLinkedDevice(can)) return Zap
  return tone === 'ok' ? Phone : QrCode
}

interface TroubleProps {
  readonly connection: Connection
  readonly now: number
  /** Opens the doctor. */
  readonly onExamine: () => void
}

/** Why it is down, what happens next, and how many messages wait meanwhile. Nothing where nothing is wrong. */
export function Trouble({ connection, now, onExamine }: TroubleProps) {
  const t = useTexts('connections')
  const trouble = describeTrouble(connection, t, now)
  if (!trouble) return null
  const ground = trouble.serious ? 'bg-danger-tint' : 'bg-brass-tint'
  return (
    <p className={joinClasses('mt-3 rounded-field px-3 py-2 text-cell text-ink', ground)}>
      <strong className="font-semibold">{trouble.sentence}</strong>
      {trouble.next && <> {trouble.next}</>}
      {trouble.waiting && <span className="text-text-2"> {trouble.waiting}</span>}{' '}
      <button
        type="button"
        className="b-link"
        aria-label={t('offer.of', { action: t('doctor.what'), name: connection.name })}
        onClick={onExamine}
      >
        {t('doctor.what')}
      </button>
    </p>
  )
}
