import { useTexts } from '@balcao/ui/i18n'
import { BarChart } from '@tremor/react'
import { describeChart, type QueueStats } from '../dashboard/queues.ts'

const ROW = 40
const AXIS = 34

/** Bars by queue: who is served in blue, who waits in brass (the two names of Tremor stand for our tokens, see styles.css). */
export default function QueueChart({ rows }: { readonly rows: readonly QueueStats[] }) {
  const t = useTexts('dashboard')
  const open = t('open')
  const pending = t('pending')
  // Two queues may bear the same name; the axis is keyed by it.
  const data = rows.map((row, index) => ({
    queue: rows.findIndex(other => other.name === row.name) === index ? row.name : `${row.name} (${row.id ?? '–'})`,
    [open]: row.open,
    [pending]: row.pending,
  }))
  return (
    <div role="img" aria-label={describeChart(rows, t)}>
      <div aria-hidden="true" className="[&_.recharts-yAxis_text]:transform-none">
        <BarChart
          data={data}
          index="queue"
          categories={[open, pending]}
          colors={['blue', 'amber']}
          layout="vertical"
          stack
          allowDecimals={false}
          yAxisWidth={116}
          barCategoryGap="22%"
          showLegend={false}
          showAnimation={false}
          customTooltip={QueueTooltip}
          style={{ height: rows.length * ROW + AXIS }}
        />
      </div>
    </div>
  )
}

interface TooltipProps {
  readonly active?: boolean
  readonly label?: string | number
  readonly payload?: readonly { readonly dataKey?: string | number; readonly value?: unknown }[]
}

function QueueTooltip({ active, label, payload }: TooltipProps) {
  if (!active || !payload) return null
  return (
    <div className="rounded-card border border-line bg-raised px-3 py-2 text-small text-ink shadow-2">
      <p className="m-0 font-semibold">{label}</p>
      {payload.map(part => (
        <p key={String(part.dataKey)} className="m-0 text-text-2">
          {part.dataKey}: <strong className="font-semibold text-ink">{String(part.value)}</strong>
        </p>
      ))}
    </div>
  )
}
