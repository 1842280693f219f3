import { useTexts } from '@balcao/ui/i18n'
import { formatMean } from '../nps/mean-text.ts'
import type { Summary } from '../nps/use-summary.ts'

const [WIDTH, HEIGHT, SIDE, TOP] = [124, 92, 10, 22]
const FLOOR = 70

/** The means of the last months as a line; a month without ratings leaves a gap. Its table for those who do not see it. */
export function Trend({ months }: { readonly months: Summary['now']['trend'] }) {
  const t = useTexts('nps')
  const words = useTexts('dashboard')
  const averages = months.flatMap(({ average }) => average ?? [])
  if (averages.length === 0) return null
  const [least, most] = [Math.min(...averages), Math.max(...averages)]
  const points = months.map(({ month, average }, n) => ({
    month,
    average,
    x: SIDE + (n / Math.max(1, months.length - 1)) * (WIDTH - 2 * SIDE),
    y:
      average === null
        ? null
        : most === least
          ? (TOP + FLOOR) / 2
          : TOP + (1 - (average - least) / (most - least)) * (FLOOR - TOP - 12),
  }))
  const last = points.findLast(({ y }) => y !== null)
  const name = (month: string) => words(`month.${Number(month.slice(5))}`)
  return (
    <figure className="m-0 flex-none self-end" aria-label={t('trend')}>
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={FLOOR} y2={FLOOR} stroke="var(--b-line)" />
        {toLines(points).map(line => (
          <polyline key={line} points={line} fill="none" stroke="var(--b-chart-bar)" strokeWidth="1.6" />
        ))}
        {points.map(({ month, x, y }) => (
          <g key={month}>
            {y !== null && (
              <circle
                cx={x}
                cy={y}
                r={month === last?.month ? 3.5 : 2}
                fill={month === last?.month ? 'var(--b-primary)' : 'var(--b-chart-bar)'}
              />
            )}
            <text x={x} y={HEIGHT - 6} textAnchor="middle" className="fill-text-2 text-[0.71875rem]">
              {name(month).slice(0, 1)}
            </text>
          </g>
        ))}
        {last && last.y !== null && last.average !== null && (
          <text
            x={Math.min(last.x, WIDTH - SIDE)}
            y={last.y - 9}
            textAnchor="middle"
            className="fill-ink text-[0.71875rem] font-semibold"
          >
            {formatMean(last.average)}
          </text>
        )}
      </svg>
      <table className="b-only-read">
        <caption>{t('trend')}</caption>
        <tbody>
          {months.map(({ month, average, count }) => (
            <tr key={month}>
              <th scope="row">{name(month)}</th>
              <td>{average === null ? '—' : formatMean(average)}</td>
              <td>{t('count', { count })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** A line for each row of months that have a mean. */
function toLines(points: readonly { readonly x: number; readonly y: number | null }[]): string[] {
  const parts: string[][] = [[]]
  for (const { x, y } of points) {
    if (y === null) parts.push([])
    else parts.at(-1)?.push(`${x},${y}`)
  }
  return parts.filter(part => part.length > 1).map(part => part.join(' '))
}
