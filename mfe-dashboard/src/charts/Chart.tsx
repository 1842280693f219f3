import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { defineLatePart, joinClasses, toSafeColor } from '@balcao/ui/parts'
import { type ReactNode, useId } from 'react'
import { chooseAxisStep } from './axis-step.ts'

const Nothing = () => null
/** Everything a ring says stands beside it in words: one that does not come leaves its place empty. */
const Ring = defineLatePart<{ readonly parts: readonly ChartShare[] }>(
  () => import(/* webpackChunkName: "chart" */ './Ring.tsx').catch(() => ({ default: Nothing })),
  'inline',
)

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

/** A part of a whole with the colour it has by now. */
export type ChartShare = Required<ChartValue>

interface FigureProps extends ChartProps {
  readonly children: ReactNode
}

/** A drawing with its finding as its name, and its table for those who cannot see it. */
function Figure({ title, unit, values, formatted = formatPlain, isNamed = true, isListed, children }: FigureProps) {
  const t = useTexts('dashboard')
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
            <th scope="col">{t('chartName')}</th>
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
            <ThinBar share={value / (total || 1)} color={color} className="col-span-3" />
          </li>
        ))}
      </ul>
    </Figure>
  )
}

interface ThinBarProps {
  /** From 0 to 1. */
  readonly share: number
  readonly color?: string
  readonly className?: string
}

/** A share of a whole, without words: they stand beside it. */
export function ThinBar({ share, color = 'var(--b-primary)', className }: ThinBarProps) {
  return (
    <span className={joinClasses('block h-1.5 rounded-full bg-line', className)} aria-hidden="true">
      <span
        className="block h-1.5 rounded-full"
        style={{ width: `${share * 100}%`, minWidth: share > 0 ? 6 : 0, background: color }}
      />
    </span>
  )
}

function formatPercent(value: number, total: number): string {
  return `${total === 0 ? 0 : Math.round((value / total) * 100)}%`
}

function sum(list: readonly ChartValue[]): number {
  return list.reduce((all, { value }) => all + value, 0)
}

/** At most five with a colour each, then the others in grey. */
function useShares(values: readonly ChartValue[]): ChartShare[] {
  const t = useTexts('dashboard')
  const rest = values.slice(PARTS)
  const others = { name: t('chartOthers', { count: rest.length }), value: sum(rest), color: GREY }
  return [...values.slice(0, PARTS), ...(rest.length > 0 ? [others] : [])].map((part, index) => ({
    name: part.name,
    value: part.value,
    color:
      part === others || part.color === GREY
        ? GREY
        : part.color
          ? toSafeColor(part.color)
          : `var(--b-chart-${index + 1})`,
  }))
}

/** Shares as a ring with the total inside: at most five, then the others in grey; beside it name, number, per cent. */
export function RingChart(props: ChartProps) {
  const { values, formatted = formatPlain, unit } = props
  const total = sum(values)
  const parts = useShares(values)
  return (
    <Figure {...props} isListed>
      <div className="flex flex-wrap items-center gap-4">
        <div className="relative size-24">
          <Ring parts={parts} />
          <p className="absolute inset-0 m-0 grid place-content-center text-center">
            <span className="text-card leading-4.5 font-semibold text-ink">{formatted(total)}</span>
            <span className="text-time leading-3 text-muted">{unit}</span>
          </p>
        </div>
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
