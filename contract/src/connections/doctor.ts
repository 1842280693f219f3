// What is wrong with a connection and what to do about it, from its health: where the chain is broken, and steps (decisions-2 §17).

import type { ConnectionTrouble } from './connection.ts'
import type { ConnectionOffer } from './connection-actions.ts'
import type { ConnectionHealth } from './connection-health.ts'
import type { Kind } from './kind-names.ts'
import { getCapabilities, isLinkedDevice } from './kinds.ts'

/** From the desk to the customer: the desk, what speaks to WhatsApp for it, WhatsApp, and the phone or number. */
export const LINKS = ['desk', 'bridge', 'whatsapp', 'phone'] as const
export type ChainLink = (typeof LINKS)[number]
/** `broken`: it does not answer; `unknown`: it lies behind what is broken; `waits`: somebody has to do something there. */
export type LinkState = 'ok' | 'waits' | 'broken' | 'unknown'

/** Codes of steps; their words are `doctor.step.<code>`. */
export const STEPS = [
  'power',
  'phoneOnline',
  'otherPhone',
  'readCode',
  'pairAnew',
  'waitServer',
  'serverNetwork',
  'newToken',
  'phoneNumberId',
  'dataKey',
  'update',
  'closeOther',
  'multiDevice',
  'banned',
  'tryAgain',
  'takeUp',
  'support',
  'checkUnsure',
  'webhookSecret',
  'library',
  'gateway',
  'chromium',
  'memory',
] as const
export type RepairStep = (typeof STEPS)[number]

export interface Diagnosis {
  readonly links: Readonly<Record<ChainLink, LinkState>>
  /** What a person can do now, the first first; `offer`: the button that does it. */
  readonly steps: readonly { readonly step: RepairStep; readonly offer: ConnectionOffer | null }[]
}

interface KnownCause {
  readonly link: ChainLink
  readonly steps: readonly RepairStep[]
}

const REASONS: Readonly<Record<ConnectionTrouble['reason'], KnownCause>> = {
  network: { link: 'phone', steps: ['phoneOnline', 'serverNetwork', 'otherPhone'] },
  restart: { link: 'bridge', steps: ['tryAgain'] },
  server: { link: 'whatsapp', steps: ['waitServer', 'serverNetwork'] },
  qr_not_read: { link: 'phone', steps: ['readCode'] },
  logged_out: { link: 'phone', steps: ['pairAnew'] },
  banned: { link: 'whatsapp', steps: ['banned', 'support'] },
  client_too_old: { link: 'bridge', steps: ['update', 'tryAgain'] },
  replaced: { link: 'bridge', steps: ['closeOther', 'tryAgain'] },
  multi_device_off: { link: 'phone', steps: ['multiDevice', 'tryAgain'] },
  bad_session: { link: 'bridge', steps: ['tryAgain', 'otherPhone', 'support'] },
  token_refused: { link: 'bridge', steps: ['newToken', 'tryAgain'] },
  token_unreadable: { link: 'desk', steps: ['dataKey', 'newToken'] },
  number_missing: { link: 'desk', steps: ['phoneNumberId'] },
  browser: { link: 'bridge', steps: ['tryAgain', 'memory'] },
  no_browser: { link: 'bridge', steps: ['chromium', 'tryAgain'] },
  gateway_unset: { link: 'desk', steps: ['gateway'] },
  gateway_down: { link: 'bridge', steps: ['gateway', 'tryAgain'] },
  gateway_refused: { link: 'bridge', steps: ['gateway', 'tryAgain'] },
  gateway_odd: { link: 'bridge', steps: ['gateway', 'tryAgain', 'support'] },
  restored: { link: 'desk', steps: ['takeUp'] },
  other: { link: 'bridge', steps: ['tryAgain', 'otherPhone', 'support'] },
}

/** Below this percentage the battery is low (spec 2 §2). */
export const LOW_BATTERY = 20

export function diagnoseConnection(kind: Kind, health: ConnectionHealth): Diagnosis {
  const known = findKnownCause(kind, health)
  const steps = [...(known?.steps ?? []), ...listSideSteps(health)]
  return {
    links: toLinkStates(health, known?.link ?? null),
    steps: steps.map(step => ({ step, offer: findStepOffer(kind, step) })),
  }
}

function findKnownCause(kind: Kind, { status, reason, battery }: ConnectionHealth): KnownCause | null {
  const isLinked = isLinkedDevice(getCapabilities(kind))
  if (status === 'CONNECTED' || status === 'OPENING') return null
  if (status === 'qrcode' || status === 'PAIRING') return { link: 'phone', steps: ['readCode'] }
  if (reason === null) return { link: 'bridge', steps: ['tryAgain'] }
  // What stands behind a number of the official API is not ours to look after.
  if (!isLinked && REASONS[reason].link === 'phone') return { link: 'whatsapp', steps: ['waitServer', 'serverNetwork'] }
  const { link } = REASONS[reason]
  const steps = REASONS[reason].steps.filter(step => isLinked || step !== 'otherPhone')
  return link === 'phone' && battery !== null && battery < LOW_BATTERY
    ? { link, steps: ['power', ...steps] }
    : { link, steps }
}

/** What deserves a look although messages flow. */
function listSideSteps({ unsure, webhook, library }: ConnectionHealth): RepairStep[] {
  return [
    ...(library.known ? ['library' as const] : []),
    ...(webhook.refused24h > 0 ? ['webhookSecret' as const] : []),
    ...(unsure > 0 ? ['checkUnsure' as const] : []),
  ]
}

function toLinkStates({ status }: ConnectionHealth, at: ChainLink | null): Diagnosis['links'] {
  const broken = at === null ? LINKS.length : LINKS.indexOf(at)
  const own: LinkState = status === 'qrcode' || status === 'PAIRING' ? 'waits' : 'broken'
  const state = (link: ChainLink): LinkState => {
    const place = LINKS.indexOf(link)
    // While it is connecting nobody knows yet how far it comes.
    if (status === 'OPENING') return place === 0 ? 'ok' : 'unknown'
    return place < broken ? 'ok' : place === broken ? own : 'unknown'
  }
  return { desk: state('desk'), bridge: state('bridge'), whatsapp: state('whatsapp'), phone: state('phone') }
}

function findStepOffer(kind: Kind, step: RepairStep): ConnectionOffer | null {
  switch (step) {
    case 'readCode':
    case 'pairAnew':
      return 'qr'
    case 'otherPhone':
      return 'recreate'
    case 'newToken':
      return 'token'
    case 'takeUp':
      return 'takeUp'
    case 'webhookSecret':
      return getCapabilities(kind).webhook ? 'webhook' : null
    case 'tryAgain':
      return getCapabilities(kind).reconnect ? 'reconnect' : 'retry'
    default:
      return null
  }
}

/** How much of the last seven days something flowed, 0 to 1; null while it never ran. */
export function computeUptimeShare(timeline: ConnectionHealth['timeline'], now: number): number | null {
  const spans = toStatusSpans(timeline, now)
  const all = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  const up = spans.filter(({ status }) => status === 'CONNECTED').reduce((sum, { from, to }) => sum + to - from, 0)
  return all === 0 ? null : up / all
}

/** How a block of time was: the worst of what was in it. */
export type BlockState = 'up' | 'shaky' | 'down' | 'unknown'
const DAY_MS = 86_400_000
const SHAKY_SHARE = 0.5

/** Seven days up to the end of today's, in blocks of so many hours, oldest first; what has not come yet is unknown. */
export function toTimelineBlocks(
  timeline: ConnectionHealth['timeline'],
  now: number,
  midnight: number,
  hours = 2,
): BlockState[] {
  const spans = toStatusSpans(timeline, now)
  const length = hours * 3_600_000
  const begin = midnight - 6 * DAY_MS
  return Array.from({ length: (7 * 24) / hours }, (_, at): BlockState => {
    const from = begin + at * length
    const inside = spans.flatMap(span => {
      const ms = Math.min(span.to, from + length) - Math.max(span.from, from)
      return ms > 0 ? [{ ms, isUp: span.status === 'CONNECTED' }] : []
    })
    const sum = (only: (one: { readonly isUp: boolean }) => boolean) =>
      inside.filter(only).reduce((total, { ms }) => total + ms, 0)
    const down = sum(one => !one.isUp)
    if (inside.length === 0) return 'unknown'
    if (down === 0) return 'up'
    return down > sum(() => true) * SHAKY_SHARE ? 'down' : 'shaky'
  })
}

/** What ran for the first time in these days had nothing to be down before. */
function toStatusSpans(whole: ConnectionHealth['timeline'], now: number) {
  const begin = now - 7 * DAY_MS
  const isNew = whole[0] !== undefined && Date.parse(whole[0].at) > begin
  const first = whole.findIndex(({ status }) => status === 'CONNECTED')
  const timeline = isNew ? (first < 0 ? [] : whole.slice(first)) : whole
  return timeline.flatMap(({ at, status }, index) => {
    const from = Math.max(begin, Date.parse(at))
    const to = Date.parse(timeline[index + 1]?.at ?? '') || now
    return to > from ? [{ from, to, status }] : []
  })
}
