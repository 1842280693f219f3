import type { ConnectionHealth } from '@balcao/contract'
import { type BlockState, computeUptimeShare, toTimelineBlocks } from '@balcao/contract/connections/doctor'
import { formatNumber, formatTime, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { joinClasses } from '@balcao/ui/parts'
import { listTimelineEvents, type TimelineEvent } from './words.ts'

const BLOCKS: Readonly<Record<BlockState, string>> = {
  up: 'bg-ok',
  shaky: 'bg-brass',
  down: 'bg-danger',
  unknown: 'bg-sunken',
}
const DOTS: Readonly<Record<TimelineEvent['tone'], string>> = {
  up: 'bg-ok',
  down: 'bg-danger',
  waits: 'bg-brass',
  quiet: 'bg-line-strong',
}
const SHOWN = 8
const DAY_MS = 86_400_000

/** Seven days in blocks of two hours, and the newest of what happened. */
export function History({ health: { timeline }, now }: { readonly health: ConnectionHealth; readonly now: number }) {
  const t = useTexts('connections')
  const midnight = getMidnight(now)
  const share = computeUptimeShare(timeline, now)
  const percent = share === null ? null : formatPercent(share)
  const happened = listTimelineEvents(timeline, now, SHOWN, t)
  return (
    <section className="px-5 py-3.5" aria-labelledby="doctor-history">
      <div className="flex items-baseline justify-between gap-3">
        <h3 id="doctor-history" className="m-0 text-cell font-semibold text-ink">
          {t('doctor.history')}
        </h3>
        <p className="m-0 text-small text-text-2">{percent ? t('doctor.share', { percent }) : t('doctor.shareNone')}</p>
      </div>
      <div
        role="img"
        aria-label={percent ? t('doctor.blocks', { percent }) : t('doctor.shareNone')}
        className="mt-2.5 flex h-[22px] gap-px sm:gap-[2px]"
      >
        {toTimelineBlocks(timeline, now, midnight).map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a week stand in one order
          <span key={index} className={joinClasses('min-w-0 flex-1 rounded-[2px]', BLOCKS[state])} />
        ))}
      </div>
      <div className="mt-1 grid grid-cols-7 text-tag text-muted" aria-hidden="true">
        {Array.from({ length: 7 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week stand in one order
          <span key={index}>
            {index === 6 ? t('doctor.today') : formatWeekday(midnight - (6 - index) * DAY_MS, t('doctor.days'))}
          </span>
        ))}
      </div>
      <ol className="m-0 mt-3 list-none p-0">
        {happened.map(({ at, when, tone, strong, text }, index) => (
          <li key={`${at} ${text}`} className="relative flex items-baseline gap-3 pb-2 text-cell text-ink">
            {index < happened.length - 1 && (
              <span aria-hidden="true" className="absolute top-3.5 bottom-[-6px] left-1 border-l border-line" />
            )}
            <span
              aria-hidden="true"
              className={joinClasses('relative size-[9px] flex-none rounded-full', DOTS[tone])}
            />
            <time dateTime={at} className="w-24 flex-none text-small text-text-2">
              {when}
            </time>
            <span className="min-w-0 flex-1">
              {strong && <strong className="font-semibold text-danger">{strong} </strong>}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The beginning of today in the company's time zone. */
function getMidnight(now: number): number {
  const [hour = 0, minute = 0] = formatTime(new Date(now)).split(':').map(Number)
  const whole = Math.floor(now / 60_000) * 60_000
  return whole - (hour * 60 + minute) * 60_000
}

/** 'qua 18'; `names` from Sunday, separated by blanks. */
function formatWeekday(at: number, names: string): string {
  const day = toCompanyDay(new Date(at + DAY_MS / 2))
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  return `${names.split(' ')[weekday] ?? ''} ${day.slice(8)}`
}

/** '99,7 %', '100 %': one place, and never all while something was missing. */
function formatPercent(share: number): string {
  const percent = share === 1 ? 100 : Math.min(99.9, Math.round(share * 1000) / 10)
  return `${formatNumber(percent)} %`
}
