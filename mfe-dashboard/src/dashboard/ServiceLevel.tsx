import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { QueueDot } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import type { ReactNode } from 'react'
import type { Filter } from './filter.ts'
import type { Numbers } from './numbers.ts'
import { Panel } from './Panel.tsx'

type Level = Numbers['serviceLevel']
type Share = Level['first']
interface Line extends Pick<Level, 'first' | 'later' | 'late'> {
  readonly id: number | null
  readonly name: string
  readonly color?: string
}

interface ServiceLevelProps {
  readonly level: Level
  readonly filter: Filter
}

/** Whether a queue has a target, or had one in the period. */
export function hasServiceLevel({ hasTargets, first, later, late }: Level): boolean {
  return hasTargets || first.total + later.total + late > 0
}

/** How many answers came in time, by queue and by person, and who is late now; nothing where no queue has a target and none had. */
export function ServiceLevel({ level, filter }: ServiceLevelProps) {
  const t = useTexts('dashboard')
  if (!hasServiceLevel(level)) return null
  const { late } = level
  return (
    <Panel
      title={t('level.title')}
      finding={late > 0 ? t('level.lateNow', { count: late }) : t('level.nobodyLate')}
      actions={<LateLinks level={level} filter={filter} />}
    >
      <dl className="m-0 flex flex-wrap gap-x-8 gap-y-2">
        {(['first', 'later'] as const).map(kind => (
          <div key={kind} data-level={kind} className="flex flex-col-reverse">
            <dt className="text-small text-text-2">{t(`level.${kind}`)}</dt>
            <dd className="m-0 text-card font-semibold text-ink">{describeShare(level[kind], t('level.none'))}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <Table head={t('column.queue')} lines={level.queues} />
        <Table
          head={t('column.name')}
          lines={level.people.map(line => (line.id === null ? { ...line, name: t('noPerson') } : line))}
        />
      </div>
    </Panel>
  )
}

/** To those that are late now, where the desk can list the same: it knows queues, and no single person. */
function LateLinks({ level: { late, lateWaiting }, filter: { queueId, userId } }: ServiceLevelProps) {
  const t = useTexts('dashboard')
  if (userId !== null) return null
  const tabs = [
    { id: 'assigned', count: late - lateWaiting },
    { id: 'pending', count: lateWaiting },
  ].filter(({ count }) => count > 0)
  return (
    <span className="b-no-print flex flex-wrap justify-end gap-x-4 gap-y-1 text-small">
      {tabs.map(({ id, count }) => (
        <Link key={id} to={`/tickets?late=${id}${queueId === null ? '' : `&queue=${queueId}`}`} className="b-link">
          {t(`level.show.${id}`, { count })}
        </Link>
      ))}
    </span>
  )
}

/** The late ones first, then where the least came in time. */
function Table({ head, lines }: { readonly head: string; readonly lines: readonly Line[] }) {
  const t = useTexts('dashboard')
  if (lines.length === 0) return null
  const sorted = lines.toSorted((one, other) => other.late - one.late || toAllShare(one) - toAllShare(other))
  return (
    <table className="w-full self-start border-collapse text-cell">
      <thead>
        <tr className="text-tag text-text-2">
          <Head>{head}</Head>
          <Head isRight>{t('level.column.first')}</Head>
          <Head isRight>{t('level.column.later')}</Head>
          <Head isRight>{t('level.column.late')}</Head>
        </tr>
      </thead>
      <tbody>
        {sorted.map(line => (
          <tr key={line.id} className="border-t border-line">
            <th scope="row" className="h-9 text-left font-normal text-ink">
              <span className="flex items-center gap-2">
                {line.color && <QueueDot color={line.color} />}
                <bdi className="min-w-0 break-words">{line.name}</bdi>
              </span>
            </th>
            {[line.first, line.later].map((share, at) => (
              <td
                key={at === 0 ? 'first' : 'later'}
                className="w-20 text-right text-ink"
                title={t('level.of', { inTime: share.inTime, total: share.total })}
              >
                {describeShare(share, '–')}
              </td>
            ))}
            <td className={`w-20 text-right font-semibold ${line.late > 0 ? 'text-danger' : 'text-text-2'}`}>
              {formatNumber(line.late)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ children, isRight = false }: { readonly children: ReactNode; readonly isRight?: boolean }) {
  return (
    <th scope="col" className={`h-8 font-semibold ${isRight ? 'text-right' : 'text-left'}`}>
      {children}
    </th>
  )
}

function toAllShare({ first, later }: Line): number {
  return toShare({ inTime: first.inTime + later.inTime, total: first.total + later.total })
}

function toShare({ inTime, total }: Share): number {
  return total === 0 ? 1 : inTime / total
}

/** '87 %', never rounded up to all. */
function describeShare(share: Share, none: string): string {
  return share.total === 0 ? none : `${Math.floor(toShare(share) * 100)}%`
}
