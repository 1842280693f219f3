import type { Connection } from '@balcao/contract'
import { isLinkedDevice } from '@balcao/contract/kinds'
import { classes, Icon } from '@balcao/ui/parts'
import { Phone, QrCode, WifiOff, Zap } from 'lucide-react'
import { type Tone, toneOf } from './facts.ts'

const TINTS = {
  ok: 'bg-ok-tint text-ok',
  busy: 'bg-primary-tint text-primary-text',
  waiting: 'bg-brass-tint text-brass-text',
  danger: 'bg-danger-tint text-danger',
  quiet: 'bg-sunken text-text-2',
} as const

/** The square at the left of a card: how the connection is doing, at a glance. */
export function KindIcon({
  connection,
}: {
  readonly connection: Pick<Connection, 'status' | 'capabilities' | 'trouble'>
}) {
  const tone = toneOf(connection)
  return (
    <span className={classes('grid size-11 flex-none place-items-center rounded-card', TINTS[tone])} aria-hidden="true">
      <Icon of={iconOf(connection.capabilities, tone)} />
    </span>
  )
}

function iconOf(can: Connection['capabilities'], tone: Tone) {
  if (tone === 'danger') return WifiOff
  if (!isLinkedDevice(can)) return Zap
  return tone === 'ok' ? Phone : QrCode
}
