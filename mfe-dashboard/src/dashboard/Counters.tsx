import { formatNumber, type Texts, useTexts } from '@balcao/ui/i18n'
import { Icon, joinClasses, useNow } from '@balcao/ui/parts'
import { Hourglass, type LucideIcon, Timer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Sparkline } from '../charts/Sparkline.tsx'
import { describeOthers } from './describe-others.ts'
import { formatClock } from './duration.ts'
import { type Filter, getPreviousPeriod, isWholeMonth } from './filter.ts'
import type { Stats } from './queues.ts'

interface CountersProps {
  readonly numbers: {
    readonly stats: Omit<Stats, 'counting' | 'hours' | 'opened' | 'queues' | 'rates' | 'rating'>
    readonly before: Pick<Stats, 'tmeSeconds' | 'tmaSeconds'>
  }
  readonly filter: Filter
}

/** In service, waiting, closed, and the two mean times (spec 1 §2). */
export function Counters({ numbers: { stats, before }, filter }: CountersProps) {
  const t = useTexts('dashboard')
  const now = useNow(30_000)
  const waits = stats.waitingSince === null ? null : Math.floor((now - Date.parse(stats.waitingSince)) / 60_000)
  return (
    <ul className="m-0 grid list-none grid-cols-6 gap-3 p-0 xl:grid-cols-5" aria-label={t('counters')}>
      <Counter name="open" color="var(--b-primary)" value={formatNumber(stats.open)} also={describeOthers(stats, t)}>
        {t('ofThem', { people: stats.open - stats.openGroups, count: stats.openGroups })}
      </Counter>
      <Counter
        name="pending"
        color="var(--b-brass)"
        value={formatNumber(stats.pending)}
        isWarm={waits !== null && waits >= 5}
        short={waits === null ? '' : formatMinutes(waits, t)}
      >
        {waits === null ? t('nobodyWaits') : t('longestWait', { time: formatMinutes(waits, t) })}
      </Counter>
      <Counter name="closed" color="var(--b-chart-6)" value={formatNumber(stats.closed)}>
        {t('inPeriod')}
      </Counter>
      <Time name="tme" seconds={stats.tmeSeconds} before={before.tmeSeconds} days={stats.tme} filter={filter} />
      <Time name="tma" seconds={stats.tmaSeconds} before={before.tmaSeconds} days={stats.tma} filter={filter} />
    </ul>
  )
}

interface CounterProps {
  readonly name: string
  readonly color?: string
  readonly value: string
  readonly icon?: LucideIcon
  readonly isWarm?: boolean
  /** In place of its line, beside the value, where there is no room for words. */
  readonly short?: string
  /** A line of its own, on phones too. */
  readonly also?: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}

function Counter({ name, color, icon, value, isWarm, short, also, beside, children }: CounterProps) {
  const t = useTexts('dashboard')
  const note = isWarm ? 'font-semibold text-brass-text' : 'text-text-2'
  const isTime = icon !== undefined
  return (
    <li
      data-counter={name}
      className={joinClasses(
        'relative min-w-0 rounded-card border border-line bg-surface py-3 xl:col-span-1',
        isTime ? 'col-span-3 px-[18px] max-sm:px-3.5' : 'col-span-2 px-[18px] max-sm:px-3',
      )}
    >
      <p className="m-0 flex items-center gap-2 text-cell text-text-2">
        {color && <span className="size-2 shrink-0 rounded-full" style={{ background: color }} aria-hidden="true" />}
        {icon && <Icon of={icon} size={14} />}
        <span className={isTime ? undefined : 'max-sm:hidden'}>{t(name)}</span>
        {!isTime && <span className="truncate sm:hidden">{t(`short.${name}`)}</span>}
      </p>
      <p className="m-0 flex items-baseline gap-1.5 whitespace-nowrap text-ink">
        <span
          data-value=""
          className={joinClasses('text-counter font-semibold tracking-[-1px]', isTime && 'max-sm:text-[1.375rem]')}
        >
          {value}
        </span>
        {short && <span className={`truncate text-small sm:hidden ${note}`}>{short}</span>}
      </p>
      <p className={joinClasses('m-0 text-small', !isTime && 'max-sm:hidden', note)}>{children}</p>
      {also && <p className="m-0 text-small text-text-2">{also}</p>}
      {beside && <span className="absolute top-9 right-3.5 max-sm:hidden xl:max-[1400px]:hidden">{beside}</span>}
    </li>
  )
}

interface TimeProps {
  readonly name: 'tme' | 'tma'
  readonly seconds: number | null
  readonly before: number | null
  readonly days: Stats['tme']
  readonly filter: Filter
}

function Time({ name, seconds, before, days, filter }: TimeProps) {
  const t = useTexts('dashboard')
  const value = seconds === null ? '—' : formatClock(seconds)
  return (
    <Counter
      name={name}
      icon={name === 'tme' ? Hourglass : Timer}
      value={value}
      beside={<Sparkline values={days.map(day => day.seconds)} />}
    >
      <Compared
        seconds={seconds}
        before={before}
        than={describeComparison(filter, t)}
        none={t(name === 'tme' ? 'noTme' : 'noTma')}
      />
    </Counter>
  )
}

interface ComparedProps {
  readonly seconds: number | null
  readonly before: number | null
  readonly than: string
  /** Said where there is no time. */
  readonly none: string
}

/** Only what is better is marked. */
function Compared({ seconds, before, than, none }: ComparedProps) {
  const t = useTexts('dashboard')
  if (seconds === null) return none
  if (before === null) return t('nothingBefore', { than })
  if (Math.abs(seconds - before) < 1) return t('same', { than })
  const time = formatClock(Math.abs(seconds - before))
  if (seconds > before) return t('more', { time, than })
  return (
    <>
      <span className="font-semibold text-ok">{t('less', { time })}</span> {t('than', { than })}
    </>
  )
}

/** 'em outubro', 'no período anterior'. */
function describeComparison(filter: Filter, t: Texts): string {
  if (!isWholeMonth(filter)) return t('periodBefore')
  return t('inMonth', { month: t(`month.${Number(getPreviousPeriod(filter).from.slice(5, 7))}`) })
}

function formatMinutes(minutes: number, t: Texts): string {
  if (minutes < 60) return t('minutes', { count: minutes })
  if (minutes < 48 * 60) return t('hours', { count: Math.floor(minutes / 60) })
  return t('days', { count: Math.floor(minutes / (24 * 60)) })
}
