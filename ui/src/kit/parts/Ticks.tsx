import { useTexts } from '../../i18n/index.ts'
import { Tooltip } from './Tooltip.tsx'

export type TickState = 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown'

interface TicksProps {
  readonly state: TickState
  /** Without the tooltip, where the row around it says it. */
  readonly bare?: boolean
}

/** How far a message of ours has come: clock, one tick, two ticks, two blue ticks, red '!', brass '?'. */
export function Ticks({ state, bare }: TicksProps) {
  const t = useTexts('ui')
  const label = t(`tick.${state}`)
  const drawing = (
    <span className={`b-ticks is-${state}`} role="img" aria-label={label}>
      <svg
        width="18"
        height="12"
        viewBox="0 0 18 12"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <Drawing state={state} />
      </svg>
    </span>
  )
  return bare ? drawing : <Tooltip text={label}>{drawing}</Tooltip>
}

function Drawing({ state }: { readonly state: TickState }) {
  switch (state) {
    case 'queued':
    case 'sending':
      return (
        <>
          <circle cx="11" cy="6" r="4.8" strokeWidth="1.3" />
          <path d="M11 3.4V6l1.7 1.2" strokeWidth="1.3" />
        </>
      )
    case 'sent':
      return <path d="M5 6.6 8.2 9.8 15 2.4" />
    case 'delivered':
    case 'read':
      return <path d="M1.2 6.6 4.4 9.8 11.2 2.4M8.2 9.6l.2.2 6.8-7.4M17 2.4" />
    case 'failed':
      return (
        <>
          <circle cx="11" cy="6" r="5" />
          <path d="M11 3.3v3.2M11 8.7v.01" />
        </>
      )
    case 'unknown':
      return (
        <>
          <circle cx="11" cy="6" r="5" />
          <path d="M9.8 4.6c0-1.6 2.5-1.6 2.5 0 0 1-1.2 1-1.2 2M11.1 8.8v.01" strokeWidth="1.3" />
        </>
      )
  }
}
