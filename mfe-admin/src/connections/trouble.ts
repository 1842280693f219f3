// Why a connection is down and what happens next, in sentences a shop owner understands (look §8, sentence 10).
import type { Connection } from '@balcao/contract'
import { formatMoment, formatTime, type Texts, toCompanyDay } from '@balcao/ui/i18n'
import { isNeverPaired } from './facts.ts'

export interface TroubleText {
  /** What happened, strong: 'O celular está sem internet desde 09:12.' */
  readonly sentence: string
  /** What comes next: 'Próxima tentativa em 0:42 (3ª tentativa).' Null where nothing does. */
  readonly next: string | null
  /** '14 mensagens esperam na fila e saem sozinhas quando voltar.' */
  readonly waiting: string | null
  readonly serious: boolean
}

/** The sentences of a connection in trouble, or null when it has none. `now` in milliseconds moves the countdown. */
export function describeTrouble(
  connection: Pick<Connection, 'trouble' | 'waiting' | 'status'>,
  t: Texts,
  now: number,
): TroubleText | null {
  const { trouble, waiting, status } = connection
  if (status === 'CONNECTED') return null
  const queued = waiting > 0 ? t(waiting === 1 ? 'trouble.waitingOne' : 'trouble.waiting', { count: waiting }) : null
  if (!trouble) return queued ? { sentence: t('trouble.offline'), next: null, waiting: queued, serious: false } : null
  return {
    sentence: t(`trouble.reason.${isNeverPaired({ trouble }) ? 'not_paired' : trouble.reason}`, {
      since: formatSince(trouble.since, now),
      code: trouble.code,
    }),
    next: describeNextStep(trouble, t, now),
    waiting: queued,
    serious: status !== 'OPENING' && trouble.next !== 'read_qr',
  }
}

function describeNextStep(trouble: NonNullable<Connection['trouble']>, t: Texts, now: number) {
  if (trouble.next === 'none') return null
  if (trouble.next !== 'retry') return t(`trouble.next.${trouble.next}`)
  const left = trouble.nextTryAt ? Date.parse(trouble.nextTryAt) - now : 0
  if (left <= 0) return t('trouble.next.now')
  return t('trouble.next.retry', { left: formatCountdown(left), attempt: Math.max(1, trouble.attempt) })
}

/** '0:42', '3:05', '1:00:00': time left, rounded up so that it never shows zero too early. */
export function formatCountdown(milliseconds: number) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** '09:12', with its day where it was not today. */
export function formatSince(since: string, now: number) {
  return toCompanyDay(since) === toCompanyDay(new Date(now)) ? formatTime(since) : formatMoment(since)
}
