import { useTexts } from '@balcao/ui/i18n'
import { defineLatePart, EmptyState, QueueDot } from '@balcao/ui/parts'
import { describePeak, type QueueStats, sumTickets, toQueueRows } from './queues.ts'

// Tremor and recharts weigh more than all the rest; the counters do not wait for them.
const QueueChart = defineLatePart(
  () => import(/* webpackChunkName: "chart" */ '../charts/QueueChart.tsx'),
  'inline',
  QueueChartRoom,
)

/** Who is served and who waits, by queue: bars, and the same numbers as a table. */
export function ByQueue({ queues }: { readonly queues: readonly QueueStats[] }) {
  const t = useTexts('dashboard')
  const rows = toQueueRows(queues, t)
  const busy = rows.some(row => sumTickets(row) > 0)
  const peak = describePeak(rows, t)
  return (
    <section className="rounded-card border border-line bg-surface p-4">
      <h2 className="m-0 text-cell font-semibold text-ink">
        {t('byQueue')} <span className="font-normal text-muted">· {peak || t('byQueueNow')}</span>
      </h2>
      {busy ? (
        <div className="mt-3 grid gap-x-8 gap-y-4 lg:grid-cols-[3fr_2fr]">
          <QueueChart rows={rows} />
          <QueueTable rows={rows} />
        </div>
      ) : (
        <EmptyState icon="bell" title={t('calm.title')} text={t('calm.text')} />
      )}
    </section>
  )
}

function QueueChartRoom({ rows }: { readonly rows: readonly QueueStats[] }) {
  return <div style={{ height: rows.length * 40 + 34 }} />
}

function QueueTable({ rows }: { readonly rows: readonly QueueStats[] }) {
  const t = useTexts('dashboard')
  return (
    <table className="w-full self-start border-collapse text-cell">
      <thead>
        <tr className="text-tag text-text-2">
          <th scope="col" className="h-8 text-left font-semibold">
            {t('column.queue')}
          </th>
          <Head color="var(--b-chart-1)" text={t('column.open')} />
          <Head color="var(--b-brass)" text={t('column.pending')} />
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.id ?? 'none'} data-queue={row.id ?? 'none'} className="border-t border-line">
            <th scope="row" className="h-9 text-left font-normal text-ink">
              <span className="flex items-center gap-2">
                <QueueDot color={row.color} />
                <bdi className="min-w-0 break-words">{row.name}</bdi>
              </span>
            </th>
            <td className="w-28 text-right font-semibold text-ink">{row.open}</td>
            <td className="w-24 text-right font-semibold text-ink">{row.pending}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <th scope="col" className="pl-4 text-right font-semibold whitespace-nowrap">
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2 rounded-full" style={{ background: color }} aria-hidden="true" />
        {text}
      </span>
    </th>
  )
}
