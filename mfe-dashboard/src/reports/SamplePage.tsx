import type { ReportName } from '@balcao/contract/reports/rules'
import { useTexts } from '@balcao/ui/i18n'
import { Logo } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import { INK, LEFT, LINE, QUIET, RIGHT, Rule, WIDTH, Words } from './SampleParts.tsx'
import { makeSample, SAMPLE_MESSAGES, type Sample, type SampleCell } from './sample.ts'

/** The first page of a report with data of nobody, beside the cards (look-2 §1, §11 "reports"). */
export function SamplePage({ report }: { readonly report: ReportName }) {
  const t = useTexts('reports')
  const { company } = useSession()
  const word = (key: string) => t(`sample.word.${key}`)
  const sample = makeSample(report, word)
  const title = t(`sample.name.${report}`)
  return (
    <figure className="m-0 grid gap-3" data-sample={report}>
      <figcaption className="text-cell text-muted">
        <strong className="mr-2 text-card font-semibold text-ink">{t('sample.title')}</strong>
        {t('sample.note')}
      </figcaption>
      <svg
        viewBox="0 0 595 842"
        role="img"
        aria-label={t('sample.alt', { report: title })}
        className="w-full rounded-card border border-line bg-white shadow-2"
        fontSize={7.3}
        fill={INK}
      >
        <g transform={`translate(${LEFT} 36)`}>
          <Logo size={26} />
        </g>
        <Words x={LEFT + 34} y={46} size={9.8} isStrong>
          {company || 'Distribuidora São José'}
        </Words>
        <Words x={RIGHT} y={46} color={QUIET} isRight>
          {t('sample.made')}
        </Words>
        <Words x={RIGHT} y={56} color={QUIET} isRight>
          {t('sample.by')}
        </Words>
        <Rule y={72} color={INK} />
        <Words x={LEFT} y={98} size={15.5} isStrong>
          {title}
        </Words>
        <Words x={LEFT} y={114} color={QUIET}>
          {t(report === 'message' ? 'sample.ofContact' : 'sample.filters')}
        </Words>
        {sample ? <Tables sample={sample} word={word} /> : <Conversation word={word} />}
        <Rule y={804} />
        <Words x={LEFT} y={816} color={QUIET}>
          {`${title} · 01/11/2026 – 24/11/2026`}
        </Words>
        <Words x={RIGHT} y={816} color={QUIET} isRight>
          {t('sample.page')}
        </Words>
      </svg>
      <p className="m-0 text-cell text-muted">{t('sample.below')}</p>
    </figure>
  )
}

interface PartProps {
  readonly word: (key: string) => string
}

function Tables({ sample: { figures, chart, bars, columns, rows }, word }: PartProps & { readonly sample: Sample }) {
  const cell = WIDTH / figures.length
  const top = bars.length > 0 ? 268 : 184
  return (
    <>
      <rect x={LEFT} y={124} width={WIDTH} height={42} rx={6} fill="none" stroke={LINE} />
      {figures.map(([value, key], n) => (
        <g key={key}>
          {n > 0 && <path d={`M${LEFT + n * cell} 124v42`} stroke={LINE} />}
          <Words x={LEFT + n * cell + 10} y={144} size={12.6} isStrong>
            {value}
          </Words>
          <Words x={LEFT + n * cell + 10} y={157} color={QUIET}>
            {word(key)}
          </Words>
        </g>
      ))}
      {bars.length > 0 && <Bars title={word(chart)} bars={bars} />}
      {columns.map(({ word: head, under, x, isRight }) => (
        <g key={head}>
          <Words x={x} y={under ? top : top + 9} isStrong isRight={isRight}>
            {word(head)}
          </Words>
          {under && (
            <Words x={x} y={top + 9} color={QUIET} isRight={isRight}>
              {word(under)}
            </Words>
          )}
        </g>
      ))}
      <Rule y={top + 14} color={INK} />
      {rows.map((cells, n) => {
        const y = top + 14 + n * 26
        if (y > 775) return null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <g key={n}>
            {cells.map((one, at) => {
              const column = columns[at]
              return column && <Cell key={column.word} cell={one} x={column.x} y={y} isRight={column.isRight} />
            })}
            <Rule y={y + 26} />
          </g>
        )
      })}
    </>
  )
}

interface CellProps {
  readonly cell: SampleCell
  readonly x: number
  readonly y: number
  readonly isRight: boolean | undefined
}

function Cell({ cell: [text, under, color], x, y, isRight }: CellProps) {
  const left = color === undefined ? x : x + 9
  return (
    <>
      {color !== undefined && <rect x={x} y={y + 5} width={5} height={5} rx={1.4} fill={color} />}
      <Words x={left} y={under === undefined ? y + 16 : y + 11} isRight={isRight}>
        {text}
      </Words>
      {under !== undefined && (
        <Words x={left} y={y + 21} color={QUIET} isRight={isRight}>
          {under}
        </Words>
      )}
    </>
  )
}

function Bars({ title, bars }: { readonly title: string; readonly bars: readonly number[] }) {
  const most = Math.max(...bars)
  const slot = WIDTH / bars.length
  return (
    <>
      <Words x={LEFT} y={184} size={9.2} isStrong>
        {title}
      </Words>
      {bars.map((value, n) => {
        const high = (value / most) * 50
        const x = LEFT + n * slot + slot * 0.15
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <g key={n}>
            <rect x={x} y={250 - high} width={slot * 0.7} height={high} fill={value === most ? '#2c53a4' : '#7794d4'} />
            {value > 0 && (
              <text x={x + slot * 0.35} y={247 - high} textAnchor="middle">
                {value}
              </text>
            )}
          </g>
        )
      })}
      <Rule y={250} color={QUIET} />
    </>
  )
}

function Conversation({ word }: PartProps) {
  return (
    <>
      <Words x={LEFT} y={146} size={9.2} isStrong>
        {word('ticketHead')}
      </Words>
      {SAMPLE_MESSAGES.map(([isOurs, lines, time], n) => {
        const y = 168 + n * 62
        const width = 190
        const x = isOurs ? RIGHT - width : LEFT
        return (
          <g key={time}>
            <rect x={x} y={y} width={width} height={48} rx={7} fill={isOurs ? '#e6edfb' : '#f3f1ec'} />
            {lines.map((line, at) => (
              <Words key={line} x={x + 9} y={y + 16 + at * 12} size={9}>
                {line}
              </Words>
            ))}
            <Words x={x + width - 9} y={y + 41} color={QUIET} isRight>
              {time}
            </Words>
          </g>
        )
      })}
    </>
  )
}
