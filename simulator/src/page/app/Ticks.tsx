// Where a message is: clock, one tick, two, two in blue, or a failure.
import type { Tick } from '../model.ts'

const NAMES: Record<Tick, string> = {
  waiting: 'Esperando a rede',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  failed: 'Não saiu',
}

export function Ticks({ tick }: { tick: Tick }) {
  return (
    <svg className={`ticks ${tick}`} width="18" height="12" viewBox="0 0 18 12" role="img" aria-label={NAMES[tick]}>
      <title>{NAMES[tick]}</title>
      {tick === 'waiting' && <path d="M9 1.2a4.8 4.8 0 1 1 0 9.6a4.8 4.8 0 1 1 0-9.6M9 3.6V6l1.7 1.2" />}
      {tick === 'failed' && <path d="M9 1.2a4.8 4.8 0 1 1 0 9.6a4.8 4.8 0 1 1 0-9.6M9 3.5v3M9 8.4v.1" />}
      {tick === 'sent' && <path d="M4.5 6.6l3 3L14 2.5" />}
      {(tick === 'delivered' || tick === 'read') && <path d="M1 6.6l3 3L10.500 2.500M7.600 9l.6.6L15.600 2.500" />}
    </svg>
  )
}
