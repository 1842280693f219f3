// What the doctor says, in words: lengths of time, what each link of the chain is doing, and what happened when.
import type { Connection, ConnectionHealth } from '@balcao/contract'
import { type ChainLink, type Diagnosis, LINKS, LOW_BATTERY } from '@balcao/contract/connections/doctor'
import { isLinkedDevice, KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatTime, type Texts, toCompanyDay } from '@balcao/ui/i18n'
import type { HealthReport } from './use-health.ts'

const MINUTE = 60_000
const WEEK = 7 * 1440 * MINUTE

/** 'Faz 14 minutos', 'Faz 3 horas', 'Faz 2 dias'; nothing below a minute. */
export function describeDurationSince(since: string, now: number, t: Texts): string | null {
  const minutes = Math.floor((now - Date.parse(since)) / MINUTE)
  if (minutes < 1) return null
  if (minutes < 60) return t('doctor.for.minutes', { count: minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? t('doctor.for.hours', { count: hours }) : t('doctor.for.days', { count: Math.floor(hours / 24) })
}

/** How long something took: '18 s', '4 min', '3 h'. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** The name of a link, and what it is doing. */
export function describeLink(
  link: ChainLink,
  { links }: Pick<Diagnosis, 'links'>,
  { api, capabilities }: Pick<Connection, 'api' | 'capabilities'>,
  { health, tookMs }: HealthReport,
  t: Texts,
): readonly [name: string, state: string] {
  const isLinked = isLinkedDevice(capabilities)
  // A name in one piece.
  const label = KIND_TABLE[api].label.replaceAll(' ', '\u00a0')
  const names: Record<ChainLink, string> = {
    desk: 'Balcão',
    bridge: isLinked ? t('doctor.link.bridge', { kind: label }) : label,
    whatsapp: 'WhatsApp',
    phone: t(isLinked ? 'doctor.link.phone' : 'doctor.link.number'),
  }
  const state = links[link]
  const { battery } = health
  if (link === 'desk' && state === 'ok') return [names.desk, t('doctor.answers', { ms: tookMs })]
  if (link === 'phone' && battery !== null && state !== 'unknown' && state !== 'waits') {
    const key = battery < LOW_BATTERY && state === 'broken' ? 'doctor.broken.phoneBattery' : 'doctor.battery'
    return [names.phone, t(state === 'broken' ? 'doctor.broken.phoneBattery' : key, { percent: battery })]
  }
  if (state === 'ok') return [names[link], t(`doctor.ok.${link}`)]
  return [names[link], t(state === 'broken' ? `doctor.broken.${link}` : `doctor.${state}`)]
}

/** What the links that are not broken say of themselves together: 'O resto está bem: falta só o aparelho.' */
export function describeRemainingLinks({ links }: Pick<Diagnosis, 'links'>, t: Texts): string | null {
  const broken = LINKS.find(link => links[link] === 'broken')
  return broken ? t(`doctor.rest.${broken}`) : null
}

export interface TimelineEvent {
  readonly at: string
  readonly when: string
  readonly tone: 'up' | 'down' | 'waits' | 'quiet'
  readonly strong: string | null
  readonly text: string
}

/** The newest of what happened, newest first: each fall with its reason, each return with how long it was away. */
export function listTimelineEvents(
  timeline: ConnectionHealth['timeline'],
  now: number,
  most: number,
  t: Texts,
): TimelineEvent[] {
  const all = timeline.flatMap((row, index): TimelineEvent[] => {
    const { at, status, reason } = row
    const when =
      toCompanyDay(at) === toCompanyDay(new Date(now)) ? formatSeconds(at) : `${formatDayMonth(at)} ${formatTime(at)}`
    const before = timeline.slice(0, index)
    const params = { at, when }
    if (reason === 'restart' && before.at(-1)?.status === status)
      return [{ ...params, tone: 'quiet', strong: null, text: t('doctor.event.restart') }]
    if (status === before.at(-1)?.status) return []
    if (index === 0 && status !== 'CONNECTED' && Date.parse(at) > now - WEEK)
      return [{ ...params, tone: 'quiet', strong: null, text: t('doctor.event.created') }]
    switch (status) {
      case 'CONNECTED': {
        const fell = findFallBefore(before)
        const text = fell
          ? t('doctor.event.back', { time: formatElapsed(Date.parse(at) - Date.parse(fell)) })
          : t('doctor.event.up')
        return [{ ...params, tone: 'up', strong: null, text }]
      }
      case 'OPENING':
        return before.length === 0 ? [] : [{ ...params, tone: 'quiet', strong: null, text: t('doctor.event.again') }]
      case 'qrcode':
      case 'PAIRING':
        return [{ ...params, tone: 'waits', strong: null, text: t(`doctor.event.${status}`) }]
      default: {
        const isFall = before.at(-1)?.status === 'CONNECTED'
        const strong = isFall ? t('doctor.event.fell') : null
        const tone = isFall ? 'down' : 'quiet'
        return [{ ...params, tone, strong, text: t(`doctor.why.${reason ?? 'none'}`) }]
      }
    }
  })
  return all.reverse().slice(0, most)
}

/** When it was up last, before a run of anything else. */
function findFallBefore(before: ConnectionHealth['timeline']): string | null {
  const up = before.findLastIndex(row => row.status === 'CONNECTED')
  return up < 0 ? null : (before.slice(up + 1).find(row => row.status !== 'CONNECTED')?.at ?? null)
}

function formatSeconds(at: string): string {
  return `${formatTime(at)}:${at.slice(17, 19)}`
}

function formatDayMonth(at: string): string {
  const [, month = '', day = ''] = toCompanyDay(at).split('-')
  return `${day}/${month}`
}
