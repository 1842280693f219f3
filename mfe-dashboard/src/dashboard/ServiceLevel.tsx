import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { QueueDot } from '@balcao/ui/parts'
import type { ReactNode } from 'react'
import { ThinBar } from '../charts/Chart.tsx'
import type { Numbers } from './numbers.ts'
import { Panel } from './Panel.tsx'

type Level = Numbers['serviceLevel']
interface Row {
  readonly id: number
  readonly name: string
  readonly color?: string
  readonly inTime: number
  readonly total: number
  readonly late: number
}

/** How many answers came in time, by queue and by person, and who is late now; nothing where no queue has a target and none had. */
export function ServiceLevel({ level }: { readonly level: Level }) {
  const t = useTexts('dashboard')
  const { first, later, late } = level
  if (!level.hasTargets && first.total + later.total + late === 0) return null
  return (
    <Panel title={t('level.title')} finding={late > 0 ? t('level.lateNow', { count: late }) : t('level.nobodyLate')}>
      <dl className="m-0 flex flex-wrap gap-x-8 gap-y-2">
        {(['first', 'later'] as const).map(kind => (
          <div key={kind} data-level={kind} className="flex flex-col-reverse">
            <dt className="text-small text-text-2">{t(`level.${kind}`)}</dt>
            <dd className="m-0 text-card font-semibold text-ink">{describeShare(level[kind], t('level.none'))}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <Table head={t('column.queue')} rows={level.queues} />
        <Table head={t('column.name')} rows={level.people} />
      </div>
    </Panel>
  )
}

/** The late ones first, then where the least came in time. */
function Table({ head, rows }: { readonly head: string; readonly rows: readonly Row[] }) {
  const t = useTexts('dashboard')
  if (rows.length === 0) return null
  const sorted = rows.toSorted((one, other) => other.late - one.late || toShare(one) - toShare(other))
  return (
    <table className="w-full self-start border-collapse text-cell">
      <thead>
        <tr className="text-tag text-text-2">
          <Head>{head}</Head>
          <Head>{t('level.inTime')}</Head>
          <Head isRight>{t('level.late')}</Head>
        </tr>
      </thead>
      <tbody>
        {sorted.map(row => (
          <tr key={row.id} className="border-t border-line">
            <th scope="row" className="h-9 text-left font-normal text-ink">
              <span className="flex items-center gap-2">
                {row.color && <QueueDot color={row.color} />}
                <bdi className="min-w-0 break-words">{row.name}</bdi>
              </span>
            </th>
            <td className="w-40 text-ink">
              <span className="flex items-center gap-3" title={t('level.of', { inTime: row.inTime, total: row.total })}>
                <span className="w-11 text-right font-semibold">{describeShare(row, '–')}</span>
                {row.total > 0 && <ThinBar share={toShare(row)} className="w-16" />}
              </span>
            </td>
            <td className={`w-20 text-right font-semibold ${row.late > 0 ? 'text-danger' : 'text-text-2'}`}>
              {formatNumber(row.late)}
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

function toShare({ inTime, total }: Pick<Row, 'inTime' | 'total'>): number {
  return total === 0 ? 1 : inTime / total
}

/** '87 %', never rounded up to all. */
function describeShare(share: Pick<Row, 'inTime' | 'total'>, none: string): string {
  return share.total === 0 ? none : `${Math.floor(toShare(share) * 100)}%`
}
