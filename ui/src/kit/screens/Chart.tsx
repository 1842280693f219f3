import { formatNumber } from '@balcao/ui/i18n'
import { joinClasses, toSafeColor } from '@balcao/ui/parts'
import { type ReactNode, useId } from 'react'
import { chooseAxisStep } from './axis-step.ts'
import { useKitTexts } from './texts.ts'

/** One value of a chart. */
export interface ChartValue {
  readonly name: string
  readonly value: number
  /** A queue keeps its own colour. */
  readonly color?: string
}

interface ChartProps {
  /** The finding: 'pico às 15h, com 31'. */
  readonly title: string
  /** What the values count: 'atendimentos'. */
  readonly unit: string
  readonly values: readonly ChartValue[]
  readonly formatted?: (value: number) => string
  /** false: its title stands above it already, and is only read (true). */
  readonly isNamed?: boolean
  /** The drawing names every number: its table is not printed besides. */
  readonly isListed?: boolean
}

interface FigureProps extends ChartProps {
  readonly children: ReactNode
}

/** A drawing with its finding as its name, and its table for those who cannot see it. */
function Figure({ title, unit, values, formatted = formatPlain, isNamed = true, isListed, children }: FigureProps) {
  const kit = useKitTexts()
  const id = useId()
  return (
    <figure className="m-0" aria-labelledby={id}>
      <figcaption id={id} className={isNamed ? 'mb-2 text-cell font-semibold text-ink' : 'b-only-read'}>
        {title}
      </figcaption>
      <div aria-hidden="true">{children}</div>
      <table className={isListed ? 'b-only-read' : 'b-only-read b-printed'}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{kit('chart.name')}</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {values.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatted(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

const PLOT = 140

interface BarChartProps extends ChartProps {
  /** Bars that stand in a band: the hours of the lunch break; what they have in common. */
  readonly resting?: readonly string[]
  readonly restingName?: string
}

/** Bars side by side over two lines; the peak stands out, a value stands above its bar. */
export function BarChart({ resting = [], restingName, ...props }: BarChartProps) {
  const { values, formatted = formatPlain } = props
  const most = Math.max(0, ...values.map(({ value }) => value))
  const peak = values.findIndex(({ value }) => value > 0 && value === most)
  const step = chooseAxisStep(most)
  return (
    <Figure {...props}>
      <div className="relative overflow-x-auto sm:pl-8">
        {[0, step, 2 * step].map(line => (
          <div
            key={line}
            className="absolute right-0 left-0 border-t border-line sm:left-8"
            style={{ top: PLOT + 20 - (line / (2 * step)) * PLOT }}
          >
            <span className="absolute right-full mr-1.5 -translate-y-1/2 text-tag whitespace-nowrap text-muted max-sm:hidden">
              {formatted(line)}
            </span>
          </div>
        ))}
        <div className="relative flex gap-1 sm:gap-1.5">
          {values.map(({ name, value, color }, index) => (
            <div key={name} className="min-w-5 flex-1">
              <div
                className={joinClasses('relative flex flex-col justify-end', resting.includes(name) && 'bg-hover')}
                style={{ height: PLOT + 20 }}
              >
                {restingName && name === resting[0] && (
                  <span className="absolute top-0 w-full text-center text-tag whitespace-nowrap text-muted">
                    {restingName}
                  </span>
                )}
                <span
                  className={joinClasses(
                    'text-center text-tag',
                    index === peak ? 'font-semibold text-ink' : 'text-text-2',
                  )}
                >
                  {value > 0 && formatted(value)}
                </span>
                <span
                  className={joinClasses('rounded-t-tag', index === peak ? 'bg-primary' : 'bg-chart-bar')}
                  style={{ height: (value / (2 * step)) * PLOT, background: color && toSafeColor(color) }}
                />
              </div>
              <span className="block truncate pt-1 text-center text-tag text-text-2">{name}</span>
            </div>
          ))}
        </div>
      </div>
    </Figure>
  )
}

const PARTS = 5
/** What is none of the named ones. */
export const GREY = 'var(--b-chart-6)'
const ROUND = 2 * Math.PI * 40

/** The same shares as bars: who compares sees more. */
export function ShareBars(props: ChartProps) {
  const { values, formatted = formatPlain } = props
  const parts = useShares(values)
  const total = sum(values)
  return (
    <Figure {...props} isListed>
      <ul className="m-0 grid list-none gap-1.5 p-0 text-cell">
        {parts.map(({ name, value, color }) => (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto_2.5rem] items-center gap-x-2">
            <bdi className="truncate">{name}</bdi>
            <span className="font-semibold">{formatted(value)}</span>
            <span className="text-right text-muted">{formatPercent(value, total)}</span>
            <span className="col-span-3 h-1.5 rounded-full bg-line">
              <span
                className="block h-1.5 rounded-full"
                style={{ width: formatPercent(value, total), minWidth: value > 0 ? 6 : 0, background: color }}
              />
            </span>
          </li>
        ))}
      </ul>
    </Figure>
  )
}

function formatPercent(value: number, total: number): string {
  return `${total === 0 ? 0 : Math.round((value / total) * 100)}%`
}

function sum(list: readonly ChartValue[]): number {
  return list.reduce((all, { value }) => all + value, 0)
}

/** At most five with a colour each, then the others in grey. */
function useShares(values: readonly ChartValue[]) {
  const kit = useKitTexts()
  const rest = values.slice(PARTS)
  const others = { name: kit('chart.others', { count: rest.length }), value: sum(rest), color: GREY }
  return [...values.slice(0, PARTS), ...(rest.length > 0 ? [others] : [])].map((part, index, all) => ({
    name: part.name,
    value: part.value,
    color:
      part === others || part.color === GREY
        ? GREY
        : part.color
          ? toSafeColor(part.color)
          : `var(--b-chart-${index + 1})`,
    before: sum(all.slice(0, index)),
  }))
}

/** Shares as a ring with the total inside: at most five, then the others in grey; beside it name, number, per cent. */
export function RingChart(props: ChartProps) {
  const { values, formatted = formatPlain, unit } = props
  const total = sum(values)
  const parts = useShares(values)
  const round = (value: number) => (total === 0 ? 0 : (value / total) * ROUND)
  return (
    <Figure {...props} isListed>
      <div className="flex flex-wrap items-center gap-4">
        <svg width="96" height="96" viewBox="0 0 96 96" aria-hidden="true">
          <circle cx="48" cy="48" r="40" fill="none" stroke="var(--b-line)" strokeWidth="14" />
          {parts.map(({ name, value, color, before }) => (
            <circle
              key={name}
              cx="48"
              cy="48"
              r="40"
              fill="none"
              stroke={color}
              strokeWidth="14"
              strokeDasharray={`${Math.max(0, round(value) - 2)} ${ROUND}`}
              strokeDashoffset={-round(before)}
              transform="rotate(-90 48 48)"
            />
          ))}
          <text x="48" y="46" textAnchor="middle" className="fill-ink text-card font-semibold">
            {formatted(total)}
          </text>
          <text x="48" y="60" textAnchor="middle" className="fill-muted text-time">
            {unit}
          </text>
        </svg>
        <ul className="m-0 grid min-w-40 flex-1 list-none gap-1 p-0 text-cell">
          {parts.map(({ name, value, color }) => (
            <li key={name} className="flex items-center gap-2">
              <span className="b-dot" style={{ background: color }} />
              <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
              <span className="font-semibold">{formatted(value)}</span>
              <span className="w-9 text-right text-muted">{formatPercent(value, total)}</span>
            </li>
          ))}
        </ul>
      </div>
    </Figure>
  )
}

interface GaugeProps {
  readonly title: string
  readonly value: number
  readonly most: number
  /** From the lowest to the highest, each with its name: the band is always named. */
  readonly bands: readonly { readonly name: string; readonly color: string }[]
  /** 'Ótimo · 4,4 de 5' */
  readonly words: string
}

/** A needle over bands. */
export function Gauge({ title, value, most, bands, words }: GaugeProps) {
  const half = Math.PI * 60
  const part = half / Math.max(1, bands.length)
  const angle = Math.min(1, Math.max(0, value / most)) * 180 - 90
  return (
    <figure className="m-0 grid justify-items-center gap-1" aria-label={title}>
      <meter className="b-only-read" aria-label={title} aria-valuetext={words} min={0} max={most} value={value} />
      <svg width="212" height="132" viewBox="0 0 160 100" aria-hidden="true">
        {bands.map(({ name, color }, index) => (
          <path
            key={name}
            d="M20 80a60 60 0 0 1 120 0"
            fill="none"
            stroke={color}
            strokeWidth="14"
            strokeDasharray={`${part - 2} ${2 * half}`}
            strokeDashoffset={-index * part}
          />
        ))}
        <path
          d="M80 80V32"
          stroke="var(--b-ink)"
          strokeWidth="3"
          strokeLinecap="round"
          transform={`rotate(${angle} 80 80)`}
        />
        <circle cx="80" cy="80" r="5" fill="var(--b-ink)" />
        <text x="20" y="95" textAnchor="middle" className="fill-muted text-[9px]">
          0
        </text>
        <text x="140" y="95" textAnchor="middle" className="fill-muted text-[9px]">
          {formatPlain(most)}
        </text>
      </svg>
      <figcaption className="text-cell font-semibold text-ink">{words}</figcaption>
    </figure>
  )
}

function formatPlain(value: number) {
  return formatNumber(value)
}
