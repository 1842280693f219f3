// What stands on the terminal while a phone is paired. Pure: the newest state in, lines out.
import { type QrState, splitPairCode } from '@balcao/contract/connections/qr-state'
import type { CommandContext } from '../kit/command.ts'
import { cut, measureWidth, wrapText } from '../kit/text.ts'
import { renderQrLines } from './qr.ts'

export interface PairEvent {
  /** `09:31:04` */
  readonly at: string
  /** A key of `event`. */
  readonly event: string
}

export interface PairingState {
  readonly state: QrState
  /** Codes shown so far. */
  readonly codes: number
  readonly paircode: string | null
  readonly moments: readonly PairEvent[]
  /** The same on a page. */
  readonly page: string
}

/** The last of what happened; the code needs the room. */
const MOMENTS = 4
/** Lines besides the code; and where the terminal is low, its lead and how long it lasts alone. */
const BESIDE = 10
const BESIDE_LOW = 3

export function renderPairLines(
  { state, codes, paircode, moments, page }: PairingState,
  { paint, columns, rows }: Pick<CommandContext['out'], 'paint' | 'columns' | 'rows'>,
  t: CommandContext['t'],
): string[] {
  const say = (text: string, tone?: Parameters<typeof paint>[1]) =>
    wrapText(text, columns - 1).map(line => paint(line, tone))
  const happened = moments.slice(-MOMENTS).map(({ at, event }) => {
    const tone = event === 'connected' ? 'good' : event === 'expired' || event === 'offline' ? 'warn' : 'muted'
    return `${paint(MARKS[event] ?? '·', tone)} ${paint(at, 'muted')} ${t(`event.${event}`)}`
  })
  if (state.step === 'connected') return ['', ...happened]
  if (state.step === 'expired') return ['', ...happened, ...say(t('expired'), 'muted')]
  const foot = ['', ...happened, '', ...say(t('foot'), 'muted')]
  if (paircode !== null && state.step !== 'linking')
    return ['', ...say(t('codeLead')), '', `  ${paint(splitPairCode(paircode).join('-'), 'strong')}`, ...foot]
  if (state.step !== 'code') return ['', ...say(t(state.step)), ...foot]
  const left = state.secondsLeft > 0 ? t('newIn', { seconds: state.secondsLeft }) : t('newSoon')
  const code = renderQrLines(state.text, paint('x', 'strong') !== 'x')
  const side = measureWidth(code[0] ?? '')
  if (!hasRoom(state.text, { columns, rows }))
    return [
      '',
      ...say(t('tooSmall', { columns: side + 2, rows: code.length + BESIDE_LOW })),
      ...say(page, 'link'),
      ...foot,
    ]
  if (code.length + BESIDE > rows) return [cut(t('lead'), columns - 1), ...code.map(line => `  ${line}`), left]
  return [
    '',
    ...say(t('lead')),
    ...say(t('where'), 'muted'),
    ...code.map(line => `  ${line}`),
    `${left}${paint(` · ${t('nth', { count: codes })}`, 'muted')}`,
    ...foot,
  ]
}

/** Whether a code can be drawn so that a camera reads it. */
export function hasRoom(text: string, { columns, rows }: Pick<CommandContext['out'], 'columns' | 'rows'>): boolean {
  const code = renderQrLines(text, false)
  return measureWidth(code[0] ?? '') + 2 <= columns && code.length + BESIDE_LOW <= rows
}

const MARKS: Readonly<Record<string, string>> = { connected: '✓', expired: '!', offline: '!', linking: '●' }
