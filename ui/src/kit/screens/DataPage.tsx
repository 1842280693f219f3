import { useActions } from '@balcao/ui/actions'
import { describeError, hasText, useTexts } from '@balcao/ui/i18n'
import {
  Button,
  CardSkeletons,
  EmptyState,
  ErrorState,
  IconButton,
  joinClasses,
  Menu,
  type MenuItem,
  Page,
  SearchInput,
  useNarrowerThan,
  useSkeleton,
} from '@balcao/ui/parts'
import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  EllipsisVertical,
  FileSpreadsheet,
  type LucideIcon,
  Plus,
  Search,
} from 'lucide-react'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ListRow } from '../../rows/index.ts'
import { BulkBar } from './BulkBar.tsx'
import type { BulkAction, Card, Column, RowAction } from './column.ts'
import { CardBones, DataCards } from './DataCards.tsx'
import { DataTable } from './DataTable.tsx'
import { findNearest } from './find-nearest.ts'
import { HISTORY } from './history.ts'
import { MoreRows } from './MoreRows.tsx'
import { RowActions } from './RowActions.tsx'
import { type RowDialogs, useRowDialogs } from './RowDialogs.tsx'
import { type RowOrder, useRowOrder } from './row-order.tsx'
import type { Selection } from './selection.ts'
import { useKitTexts } from './texts.ts'
import { useAddInAddress } from './use-add-in-address.ts'
import type { RowQuery, Rows } from './use-rows.ts'

interface DataPageProps<R extends ListRow, Q extends RowQuery> extends RowDialogs<R> {
  /** The namespace of the screen's words. */
  readonly texts: string
  readonly rows: Rows<R, Q>
  readonly columns: readonly Column<R>[]
  readonly cardOf?: (row: R) => Card
  /** How a row is called in the names of its buttons. */
  readonly nameOf: (row: R) => string
  /** Before those that `form` and `remove` bring. */
  readonly actions?: readonly RowAction<R>[]
  /** In place of `actions`, where a row draws its own. */
  readonly actionsOf?: (row: R) => ReactNode
  /** In place of table and cards: a list that looks otherwise; at most 776 wide. */
  readonly draw?: (rows: readonly R[]) => ReactNode
  /** Under the title; the text `intro` unless given. */
  readonly intro?: ReactNode
  /** Between head and tools: what the rows come to. */
  readonly above?: ReactNode
  readonly isWide?: boolean
  readonly belowOf?: (row: R) => ReactNode
  readonly groupOf?: (row: R) => string
  /** Their order says something: by drag, with Alt ↑ ↓, or from the menu of a row on a phone. */
  readonly order?: { readonly onMove: (row: R, to: number) => void }
  /** Beside what the page is empty of. */
  readonly icon: LucideIcon
  /** What it says then, also of what is filtered; words of its own unless given. */
  readonly emptyTitle?: string
  /** Where nobody adds anything here: a way to what fills the page. */
  readonly emptyAction?: ReactNode
  /** Opens the empty form, where there is no `form`; who may not add has neither. */
  readonly onAdd?: () => void
  /** Ordinary buttons of the head. */
  readonly buttons?: ReactNode
  /** What needs a sheet: import, export, delegation. */
  readonly sheets?: readonly MenuItem[]
  /** Behind the three dots; what destroys comes last, after a line. */
  readonly menu?: readonly (MenuItem | 'line')[]
  /** `FilterButton`s; null where none is in use is not needed: they show it themselves. */
  readonly filters?: ReactNode
  readonly selection?: Selection
  readonly bulk?: readonly BulkAction[]
  readonly chosen?: number | null
  readonly height?: number
  /** What is read or filled in beside the list: a `Drawer`. */
  readonly panel?: ReactNode
  /** The panel is a form: the page's filled button rests. */
  readonly isEditing?: boolean
  /** Below the rows: the strip of a job. */
  readonly foot?: ReactNode
}

/**
 * A page with a list: head, tools, table, cards on phones, all states, selection, panel.
 *
 * @example <DataPage texts="tags" rows={useRows(TAGS)} columns={COLUMNS} cardOf={cardOf} nameOf={nameOf} icon={Tag} form={TagForm} remove={REMOVE} />
 */
export function DataPage<R extends ListRow, Q extends RowQuery>(given: DataPageProps<R, Q>) {
  const { dialogs, ...own } = useRowDialogs(given)
  const props = {
    ...given,
    actions: [...(given.actions ?? []), ...own.actions],
    onAdd: given.onAdd ?? own.onAdd,
  }
  const { texts, rows, onAdd, filters, selection, bulk = [], panel, foot } = props
  const words = useTexts(texts)
  const kit = useKitTexts()
  const hasSearch = hasText(texts, 'search')
  const field = usePageActions(texts, onAdd)
  useAddInAddress(rows.status === 'ready', onAdd)
  const all = rows.count !== null && words('count', { count: rows.count })
  const found = rows.isCapped ? kit('orMore', { found: all }) : all
  const isChoosing = selection !== undefined && (selection.ids.size > 0 || selection.all)
  return (
    <div className="flex h-full min-h-0">
      <div className={joinClasses('min-w-0 flex-1', props.draw && '[&_.b-page>*]:max-w-[776px]')}>
        <Page
          title={words('title')}
          intro={props.intro ?? (hasText(texts, 'intro') && words('intro'))}
          actions={<HeadButtons {...props} />}
        >
          {props.above}
          {(hasSearch || filters || isChoosing) && (
            <div className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-2">
              {hasSearch && (
                <SearchInput
                  ref={field}
                  label={words('search')}
                  shortcut="/"
                  value={rows.typed}
                  onChange={rows.type}
                  maxLength={200}
                  className="w-full bg-surface sm:w-80"
                />
              )}
              {isChoosing ? (
                <BulkBar
                  selection={selection}
                  count={rows.count}
                  isCapped={rows.isCapped}
                  actions={bulk}
                  wordOf={id => words(`bulk.${id}`)}
                />
              ) : (
                <>
                  {filters}
                  <p className="m-0 ml-auto text-small text-muted empty:-ml-2.5" role="status">
                    {rows.rows.length > 0 && found}
                  </p>
                </>
              )}
            </div>
          )}
          {rows.status === 'failed' && rows.rows.length > 0 && (
            <p
              className="mb-3 flex items-center gap-3 rounded-field bg-brass-tint px-3 py-2 text-cell text-brass-text"
              role="alert"
            >
              {kit('stale')}
              <Button size="small" onClick={rows.reload}>
                {kit('retry')}
              </Button>
            </p>
          )}
          <Body {...props} />
          {rows.nextCursor !== null && rows.rows.length > 0 && <MoreRows state={rows.more} onMore={rows.goOn} />}
          {foot}
        </Page>
      </div>
      {panel}
      {dialogs}
    </div>
  )
}

/** N adds, '/' goes to the search field, which is given back. */
function usePageActions(texts: string, onAdd: (() => void) | undefined) {
  const field = useRef<HTMLInputElement>(null)
  const adding = useRef(onAdd)
  useLayoutEffect(() => {
    adding.current = onAdd
  })
  useActions(
    useMemo(() => {
      const groupKey = `${texts}:title`
      return [
        {
          ...{ groupKey, id: `${texts}.add`, labelKey: `${texts}:add`, icon: Plus, shortcut: 'N' },
          when: () => adding.current !== undefined,
          perform: () => adding.current?.(),
        },
        {
          ...{ groupKey, id: `${texts}.search`, labelKey: `${texts}:search`, icon: Search, shortcut: '/' },
          when: () => field.current !== null,
          perform: () => field.current?.focus(),
        },
      ]
    }, [texts]),
  )
  return field
}

function HeadButtons<R extends ListRow, Q extends RowQuery>({
  texts,
  buttons,
  sheets = [],
  menu = [],
  onAdd,
  isEditing = false,
}: DataPageProps<R, Q>) {
  const words = useTexts(texts)
  const kit = useKitTexts()
  return (
    <>
      {buttons}
      {sheets.length > 0 && (
        <Menu
          label={kit('sheets')}
          items={sheets}
          button={props => (
            <Button {...props} icon={FileSpreadsheet}>
              <span className="flex items-center gap-2">
                {kit('sheets')}
                <ChevronDown size={16} aria-hidden="true" />
              </span>
            </Button>
          )}
        />
      )}
      {menu.length > 0 && (
        <Menu
          label={kit('more')}
          items={menu}
          button={props => <IconButton {...props} icon={EllipsisVertical} label={kit('more')} />}
        />
      )}
      {onAdd && (
        <Button kind="primary" icon={Plus} disabled={isEditing} onClick={onAdd}>
          {words('add')}
        </Button>
      )}
    </>
  )
}

function Body<R extends ListRow, Q extends RowQuery>(props: DataPageProps<R, Q>) {
  const {
    texts,
    rows,
    columns,
    cardOf,
    draw,
    nameOf,
    actions = [],
    selection,
    chosen,
    height,
    isWide,
    belowOf,
    groupOf,
  } = props
  const words = useTexts(texts)
  const kit = useKitTexts()
  const isPhone = useNarrowerThan('phone')
  const isWaiting = rows.status === 'loading' && rows.rows.length === 0
  const skeleton = useSkeleton(isWaiting)
  const known = useKnownNames(rows, nameOf)
  const ordering = useRowOrder({ rows: rows.rows, nameOf, onMove: () => {}, isLocked: props.isFixed, ...props.order })
  const order = props.order && ordering
  const places = order && isPhone ? makeMoveActions(rows.rows, ordering) : []
  const state = !isWaiting && !skeleton && rows.rows.length === 0 ? <State {...props} known={known} /> : null
  const label = words('table')
  const own = (row: R) => (
    <RowActions
      row={row}
      name={nameOf(row)}
      actions={[...places, ...actions]}
      labelOf={(id, name) => (KITS_OWN.includes(id) ? kit(id, { name }) : words(`action.${id}`, { name }))}
      wordOf={id => words(`word.${id}`)}
      folded={isPhone && (places.length + actions.length > 2 || cardOf?.(row).before !== undefined)}
    />
  )
  const actionsOf = props.actionsOf ?? (actions.length > 0 ? own : undefined)
  const icons = props.actionsOf ? undefined : actions.length
  const shared = { label, rows: skeleton ? [] : rows.rows, selection, chosen, actionsOf }
  if (draw) return skeleton ? <CardSkeletons /> : (state ?? draw(rows.rows))
  if (isPhone && cardOf) return skeleton ? <CardBones /> : (state ?? <DataCards {...shared} {...{ cardOf, belowOf }} />)
  return (
    <DataTable
      {...shared}
      {...{ columns, nameOf, height, icons, isWide, belowOf, groupOf, order }}
      headOf={id => words(`column.${id}`)}
      loading={skeleton}
    >
      {state && <div className="border-t border-line">{state}</div>}
      {order?.announcement}
    </DataTable>
  )
}

/** On a phone nothing is dragged. */
function makeMoveActions<R extends ListRow>(rows: readonly R[], { mayMove, move }: RowOrder<R>): RowAction<R>[] {
  return [
    { ...UP, step: -1 },
    { ...DOWN, step: 1 },
  ].map(({ step, ...action }) => ({
    ...action,
    when: row => mayMove(row, rows.indexOf(row) + step),
    perform: row => move(row, rows.indexOf(row) + step),
  }))
}

const UP = { id: 'rows.up', icon: ArrowUp }
const DOWN = { id: 'rows.down', icon: ArrowDown }
/** Actions of which the kit says what they are called. */
const KITS_OWN = [HISTORY, UP.id, DOWN.id]

/** The names of the rows that stood there before something was searched. */
function useKnownNames<R extends ListRow, Q extends RowQuery>({ rows, isAll }: Rows<R, Q>, nameOf: (row: R) => string) {
  const [known, setKnown] = useState<readonly R[]>([])
  if (isAll && rows.length > 0 && rows !== known) setKnown(rows)
  return known.map(nameOf)
}

interface StateProps<R extends ListRow, Q extends RowQuery> extends DataPageProps<R, Q> {
  readonly known: readonly string[]
}

/** What stands where the rows would. */
function State<R extends ListRow, Q extends RowQuery>(props: StateProps<R, Q>) {
  const { texts, rows, icon, emptyTitle, emptyAction, onAdd, sheets = [], known } = props
  const words = useTexts(texts)
  const kit = useKitTexts()
  if (rows.status === 'failed')
    return (
      <ErrorState title={words('failed.title')} text={describeError(rows.error)} onRetry={rows.reload} retryIn={15} />
    )
  const { search } = rows.query
  if (!rows.isAll)
    return (
      <EmptyState
        icon={Search}
        title={search ? kit('nothingWith', { search }) : (emptyTitle ?? kit('nothingFiltered'))}
        text={kit(search ? 'checkSpelling' : 'otherFilters')}
      >
        {findNearest(search, known).map(name => (
          <Button key={name} kind="plain" aria-label={kit('searchFor', { name })} onClick={() => rows.type(name)}>
            {name}
          </Button>
        ))}
        <Button onClick={rows.clear}>{kit(search ? 'clearSearch' : 'clearFilters')}</Button>
      </EmptyState>
    )
  const [first] = sheets
  return (
    <EmptyState icon={icon} tone="info" title={emptyTitle ?? words('empty.title')} text={words('empty.text')}>
      {first && <Button onClick={first.onChoose}>{first.label}</Button>}
      {onAdd && (
        <Button kind="primary" onClick={onAdd}>
          {words('add')}
        </Button>
      )}
      {emptyAction}
    </EmptyState>
  )
}
