// What a look at a sheet found: its columns with the first rows, what would come of it, and the rows that are wrong.
import { formatNumber } from '@balcao/ui/i18n'
import { Banner, Button, Icon, joinClasses, Select } from '@balcao/ui/parts'
import { Check, CornerLeftUp, Download, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { SheetDryRun, SheetFault } from './sheet-dry-run.ts'
import { useKitTexts } from './texts.ts'

/** What a column of a sheet can be. */
export interface SheetColumn {
  readonly id: string
  readonly label: string
  /** Whether a sheet may have several of them. */
  readonly isRepeated?: boolean
}

interface PreviewProps {
  readonly seen: SheetDryRun
  readonly columns: readonly SheetColumn[]
  /** What each column is by now: a choice counts from the press on, not only once the sheet was looked at with it. */
  readonly chosen: readonly (string | null)[]
  readonly onChoose: (columns: readonly (string | null)[]) => void
}

const CELL = 'h-9 max-w-60 truncate border-line px-2.5 not-first:border-l'

/** The first rows, under heads that say what each column is. */
export function SheetPreview({ seen, columns, chosen, onChoose }: PreviewProps) {
  const kit = useKitTexts()
  const options = [
    { value: NONE, label: kit('sheet.leftOut') },
    ...columns.map(({ id, label }) => ({ value: id, label })),
  ]
  const known = chosen.filter(column => column !== null).length
  return (
    <section aria-label={kit('sheet.preview')} className="grid gap-2">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <h3 className="m-0 text-cell font-semibold">{kit('sheet.columns')}</h3>
        <span className={joinClasses('flex items-center gap-1 text-small', known > 0 ? 'text-ok' : 'text-text-2')}>
          {known > 0 && <Icon of={Check} size={14} />}
          {kit('sheet.known', { known, count: seen.heads.length })}
        </span>
        {seen.total !== undefined && (
          <span className="ml-auto text-small text-muted">
            {kit('sheet.first', { shown: seen.sample.length, count: seen.total })}
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by keyboard too */}
      <div tabIndex={0} className="overflow-x-auto rounded-card border border-line">
        <table className="w-full border-collapse text-left text-cell">
          <thead className="bg-sunken">
            <tr>
              {seen.heads.map((head, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: heads of a sheet may be called the same
                <th key={index} scope="col" className="min-w-40 border-line p-2 font-normal not-first:border-l">
                  <Select
                    label={kit('sheet.is', { head })}
                    options={options}
                    value={chosen[index] ?? NONE}
                    onChange={id => onChoose(setColumn(chosen, index, columns.find(one => one.id === id) ?? null))}
                  />
                  <span className="flex items-center gap-1 pt-1 text-tag text-muted">
                    <Icon of={CornerLeftUp} size={14} />
                    <bdi className="truncate">{kit('sheet.head', { head })}</bdi>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.sample.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a sheet have no other name
              <tr key={line} className="border-t border-line">
                {seen.heads.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: nor have its cells
                  <td key={index} className={joinClasses(CELL, chosen[index] ? 'text-text-2' : 'text-muted')}>
                    {row[index] || '—'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The choice that leaves a column out. */
const NONE = ''

/** One column is one thing: what was this before is left out, but for those that a sheet may have several of. */
function setColumn(
  columns: readonly (string | null)[],
  at: number,
  chosen: SheetColumn | null,
): readonly (string | null)[] {
  const taken = chosen?.isRepeated ? null : chosen?.id
  return columns.map((one, index) => (index === at ? (chosen?.id ?? null) : one === taken ? null : one))
}

/** What rows of a sheet can come to. */
const OUTCOMES = ['created', 'updated', 'same', 'wrong'] as const
export type RowOutcome = (typeof OUTCOMES)[number]

interface OutcomeProps {
  readonly seen: SheetDryRun
  /** How they are called here; what has no name does not happen. */
  readonly names: Readonly<Partial<Record<RowOutcome, string>>> | undefined
}

/** Figures that add up; none where the heading lacks a column, for then no row was looked at. */
export function SheetOutcome({ seen, names }: OutcomeProps) {
  const kit = useKitTexts()
  if (seen.columns.every(column => column === null))
    return (
      <Banner kind="danger" icon={TriangleAlert}>
        {kit('sheet.noColumn')}
      </Banner>
    )
  if (seen.faults.some(({ isHeading }) => isHeading)) return null
  return (
    <div className="grid gap-2">
      <h3 className="m-0 text-cell font-semibold">{kit('sheet.outcome')}</h3>
      <dl
        className="m-0 grid grid-cols-2 overflow-hidden rounded-card border border-line sm:flex"
        aria-label={kit('sheet.outcome')}
      >
        {OUTCOMES.filter(outcome => !names || outcome in names).map(outcome => (
          <div
            key={outcome}
            className={joinClasses(
              'flex flex-1 flex-col-reverse justify-end border-line px-4 py-2.5 not-first:border-l',
              outcome === 'wrong' && seen.wrong > 0 && 'bg-danger-tint text-danger',
            )}
          >
            <dt className="text-small">{names?.[outcome] ?? kit(`sheet.${outcome}`)}</dt>
            <dd className="m-0 text-page font-semibold tabular-nums">{formatNumber(seen[outcome])}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface FaultsProps {
  readonly seen: SheetDryRun
  /** Saves the wrong rows as a sheet. */
  readonly save: (() => void) | null
}

/** Before somebody asks for all of them; more than so many nobody reads. */
const [FEW, MANY] = [3, 200]

const LINE = 'flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 first:border-t-0'

/** The wrong rows, line by line. */
export function SheetFaults({ seen: { columns, faults, wrong }, save }: FaultsProps) {
  const kit = useKitTexts()
  const [all, showAll] = useState(false)
  if (faults.length === 0 || columns.every(column => column === null)) return null
  const shown = faults.slice(0, all ? MANY : FEW)
  const left = Math.min(faults.length, MANY) - shown.length
  return (
    <section aria-label={kit('sheet.wrong')} className="rounded-card border border-line text-cell">
      {save && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2">
          <Icon of={TriangleAlert} size={16} className="text-danger" />
          <strong className="font-semibold">{kit('sheet.wrongLines', { count: wrong })}</strong>
          <span className="text-text-2">{kit('sheet.mend')}</span>
          <Button size="small" icon={Download} className="ml-auto" onClick={save}>
            {kit('job.errors')}
          </Button>
        </div>
      )}
      <ul className="m-0 list-none p-0">
        {shown.map((fault, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line can be wrong in two ways
          <li key={index} className={LINE}>
            <FaultLine {...fault} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button
          type="button"
          className="b-link w-full border-t border-line px-4 py-2 text-left"
          onClick={() => showAll(true)}
        >
          {kit('sheet.others', { count: left })}
        </button>
      )}
    </section>
  )
}

function FaultLine({ line, field, value, text }: SheetFault) {
  const kit = useKitTexts()
  if (field === undefined)
    return (
      <>
        <Icon of={TriangleAlert} size={14} className="text-danger" />
        <span>{kit('sheet.line', { line, text })}</span>
      </>
    )
  return (
    <>
      <span className="w-24 flex-none text-text-2">{kit('sheet.lineNumber', { line })}</span>
      <span className="w-28 flex-none">{field}</span>
      <span className="w-40 flex-none truncate">
        {value && (
          <code className="rounded-tag bg-danger-tint px-1.5 py-0.5 font-mono text-tag text-danger">{value}</code>
        )}
      </span>
      <span className="min-w-0 flex-1 basis-48">{text}</span>
    </>
  )
}
