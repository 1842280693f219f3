import { Bone, joinClasses } from '@balcao/ui/parts'
import { type ReactNode, useRef } from 'react'
import type { ListRow } from '../../rows/index.ts'
import type { Column } from './column.ts'
import { RowBox, ShownBox } from './RowBox.tsx'
import type { RowOrder } from './row-order.tsx'
import { useRowWindow } from './row-window.ts'
import type { Selection } from './selection.ts'
import { useKitTexts } from './texts.ts'

export interface TableProps<R extends ListRow> {
  readonly label: string
  readonly rows: readonly R[]
  readonly columns: readonly Column<R>[]
  readonly headOf: (id: string) => string
  readonly nameOf: (row: R) => string
  readonly actionsOf?: (row: R) => ReactNode
  /** How many icons that are, where the column is to have room for them. */
  readonly icons?: number
  readonly selection?: Selection
  /** The row a panel or a dialog is about. */
  readonly chosen?: number | null
  /** 44, 37 where it is dense, 58 with two lines. */
  readonly height?: number
  readonly loading?: boolean
  /** Wider than the page may be: it scrolls sideways, and what can be done stays in sight. */
  readonly isWide?: boolean
  /** A second line under a row, over all columns: why something is wrong with it. */
  readonly belowOf?: (row: R) => ReactNode
  /** Their order says something: the rows can be dragged, by what stands before the first column. */
  readonly order?: RowOrder<R>
  /** Rows that follow one another and have this in common stand under it as a heading: the day. */
  readonly groupOf?: (row: R) => string
  /** Stands under the heads where there are no rows. */
  readonly children?: ReactNode
}

/** An icon, what is between two, and what is beside them. */
const ICON = { size: 28, gap: 4, around: 28 }

/** The table of a screen; the first column names the row. Its heads stay, whatever becomes of the rows. */
export function DataTable<R extends ListRow>(props: TableProps<R>) {
  const {
    label,
    rows,
    columns,
    headOf,
    selection,
    actionsOf,
    icons = 0,
    chosen,
    height = 44,
    loading,
    isWide,
    children,
  } = props
  const kit = useKitTexts()
  const body = useRef<HTMLTableSectionElement>(null)
  const { from, to } = useRowWindow(body, rows.length, height)
  const pad = getCellPadding(isWide)
  const room = icons * (ICON.size + ICON.gap) - ICON.gap + ICON.around
  const wide = columns.length + Number(selection !== undefined) + Number(actionsOf !== undefined)
  return (
    <section
      aria-label={isWide ? label : undefined}
      tabIndex={isWide ? 0 : undefined}
      className={joinClasses(
        'rounded-card border border-line bg-surface',
        isWide ? 'overflow-x-auto -outline-offset-2' : 'overflow-hidden',
      )}
    >
      <table
        className={joinClasses(
          'w-full border-collapse text-left text-cell',
          isWide ? 'whitespace-nowrap' : 'table-fixed',
        )}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-busy={loading || undefined}
      >
        <colgroup>
          {selection && <col className="w-11" />}
          {columns.map(({ id, width }) => (
            <col key={id} className={width} />
          ))}
          {actionsOf && (
            <col className={isWide ? undefined : 'w-28'} style={!isWide && icons > 2 ? { width: room } : undefined} />
          )}
        </colgroup>
        <thead>
          <tr aria-rowindex={1} className="text-tag font-semibold text-text-2">
            {selection && (
              <th scope="col" className="h-10 pl-4">
                <ShownBox selection={selection} count={rows.length} />
              </th>
            )}
            {columns.map(({ id, figures }) => (
              <th key={id} scope="col" className={joinClasses('h-10 font-semibold', pad, figures && 'text-right')}>
                {headOf(id)}
              </th>
            ))}
            {actionsOf && (
              <th
                scope="col"
                className={joinClasses('h-10 px-4 text-right font-semibold', isWide && 'sticky right-0 bg-surface')}
              >
                {kit('actions')}
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {loading && rows.length === 0 && <BoneRows columns={wide} height={height} />}
          <Gap rows={from} height={height} columns={wide} />
          {rows.slice(from, to).map((row, index) => (
            <Row
              key={row.id}
              {...props}
              row={row}
              index={from + index}
              isChosen={row.id === chosen}
              heading={findHeading(props, from + index)}
              across={wide}
            />
          ))}
          <Gap rows={rows.length - to} height={height} columns={wide} />
        </tbody>
      </table>
      {children}
    </section>
  )
}

/** Where there is little room a wide table has less between its columns. */
function getCellPadding(isWide = false): string {
  return isWide ? 'px-4 max-lg:px-2.5 first:pl-4' : 'px-4'
}

interface RowProps<R extends ListRow> extends TableProps<R> {
  readonly row: R
  readonly index: number
  readonly isChosen: boolean
  /** What begins with this row. */
  readonly heading: string | null
  readonly across: number
}

function findHeading<R extends ListRow>({ rows, groupOf }: TableProps<R>, at: number): string | null {
  const [before, row] = [rows[at - 1], rows[at]]
  if (!groupOf || !row) return null
  const heading = groupOf(row)
  return before && groupOf(before) === heading ? null : heading
}

function Row<R extends ListRow>(props: RowProps<R>) {
  const { row, index, isChosen, columns, selection, actionsOf, nameOf, belowOf, isWide, order, height = 44 } = props
  const isMarked = isChosen || selection?.ids.has(row.id) || order?.over?.id === row.id
  const [first, ...others] = columns
  const below = belowOf?.(row)
  const ground = isMarked ? 'bg-primary-tint' : 'bg-surface hover:bg-hover'
  return (
    <>
      {props.heading !== null && (
        <tr className="border-t border-line bg-hover">
          <th scope="colgroup" colSpan={props.across} className="h-9 px-4 text-tag font-semibold text-text-2">
            {props.heading}
          </th>
        </tr>
      )}
      <tr
        data-row={row.id}
        aria-rowindex={index + 2}
        {...order?.of(row, index)}
        className={joinClasses('border-t border-line', ground)}
        style={{ height }}
      >
        {selection && (
          <td className="pl-4">
            <RowBox selection={selection} id={row.id} name={nameOf(row)} />
          </td>
        )}
        {first && (
          <th
            scope="row"
            className={joinClasses(getCellPadding(isWide), 'font-semibold text-ink', first.figures && 'text-right')}
          >
            {order ? (
              <span className="flex items-center gap-2">
                {order.handle(row)}
                {renderCell(first.cell(row))}
              </span>
            ) : (
              renderCell(first.cell(row))
            )}
          </th>
        )}
        {others.map(({ id, figures, cell }) => (
          <td key={id} className={joinClasses(getCellPadding(isWide), 'text-text-2', figures && 'text-right')}>
            {renderCell(cell(row))}
          </td>
        ))}
        {actionsOf && (
          <td className={joinClasses('px-3 text-right', isWide && 'sticky right-0 bg-inherit')}>{actionsOf(row)}</td>
        )}
      </tr>
      {below && (
        <tr className={ground}>
          <td colSpan={others.length + 2 + Number(selection !== undefined)} className="px-4 pb-2.5 whitespace-normal">
            {below}
          </td>
        </tr>
      )}
    </>
  )
}

function renderCell(cell: ReactNode) {
  return cell === null || cell === undefined || cell === '' ? <span className="text-muted">—</span> : cell
}

/** Holds the place of rows that are not drawn. */
function Gap({ rows, height, columns }: { readonly rows: number; readonly height: number; readonly columns: number }) {
  if (rows <= 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height: rows * height }} />
    </tr>
  )
}

function BoneRows({ columns, height }: { readonly columns: number; readonly height: number }) {
  return [70, 55, 80, 62, 74].map(width => (
    <tr key={width} className="border-t border-line" style={{ height }}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <td key={column} className="px-4">
          <Bone width={`${column === 0 ? width : width * 0.7}%`} height={10} />
        </td>
      ))}
    </tr>
  ))
}
