import type { Connection, ConnectionStatus } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { StatusPill } from '@balcao/ui/parts'
import { Check, Hourglass, type LucideIcon, QrCode, Smartphone, TriangleAlert, Unplug, WifiOff } from 'lucide-react'
import { codeExpired, neverPaired, toneOf } from './facts.ts'

const ICONS: Readonly<Record<ConnectionStatus, LucideIcon>> = {
  CONNECTED: Check,
  qrcode: QrCode,
  PAIRING: Smartphone,
  OPENING: Hourglass,
  TIMEOUT: WifiOff,
  DISCONNECTED: TriangleAlert,
  LOGGEDOUT: Unplug,
}

/** The word of a status with its icon and colour: 'Conectada', 'Aguardando leitura', 'Desconectada'. */
export function StatusOf({ connection }: { readonly connection: Pick<Connection, 'status' | 'trouble'> }) {
  const t = useTexts('admin')
  const expired = codeExpired(connection)
  const word = expired ? 'expired' : neverPaired(connection) ? 'LOGGEDOUT' : connection.status
  return (
    <StatusPill kind={toneOf(connection)} icon={word === 'expired' ? QrCode : ICONS[word]}>
      <span data-status={connection.status}>{t(`status.${word}`)}</span>
    </StatusPill>
  )
}
