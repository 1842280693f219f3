// One list with all its states: skeleton, rows, empty, failed.
import { describeError, useTexts } from '@balcao/ui/i18n'
import { defineLatePart, ErrorState, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { useCallback, useMemo, useState } from 'react'
import { useMarking } from '../bulk/use-marking.ts'
import { getStores } from '../desk/stores.ts'
import { useAround } from '../desk/use-ticket-context.ts'
import type { ListFilters, ListName } from '../tickets/is-in-list.ts'
import { useList } from '../tickets/use-tickets.ts'
import { ListFoot } from './ListFoot.tsx'
import { makeQuickAccept } from './quick-row.tsx'
import { useRowHeight } from './row-height.ts'
import { TicketRow } from './TicketRow.tsx'
import { VirtualList } from './VirtualList.tsx'

const RowMenu = defineLatePart(() => import('./RowMenu.tsx'))
export const EmptyList = defineLatePart(() => import('./EmptyList.tsx'), 'inline')

interface TicketListProps {
  readonly name: ListName
  readonly selectedId: number | null
  readonly showConnection: boolean
  readonly filters: ListFilters
  readonly mayShowAll: boolean
  readonly onFilters: (filters: ListFilters) => void
  readonly onOpen: (id: number) => void
}

export function TicketList({
  name,
  selectedId,
  showConnection,
  filters,
  mayShowAll,
  onFilters,
  onOpen,
}: TicketListProps) {
  const t = useTexts('tickets')
  const list = useList(name)
  const rowHeight = useRowHeight()
  const loading = list.status === 'loading'
  const skeleton = useSkeleton(loading)
  const nearEnd = useCallback(() => void getStores().tickets.loadMore(name), [name])
  const row = useCallback((id: number) => <TicketRow id={id} showConnection={showConnection} />, [showConnection])
  const [menu, setMenu] = useState<{ readonly id: number; readonly x: number; readonly y: number } | null>(null)
  const onMenu = useCallback((id: number, at: { x: number; y: number }) => setMenu({ id, ...at }), [])
  const marks = useMarking(name, list.ids, selectedId)
  const around = useAround()
  const quick = useMemo(
    () => (name === 'pending' ? makeQuickAccept(around, t('action.accept')) : undefined),
    [name, around, t],
  )

  if (list.status === 'failed')
    return (
      <ErrorState
        title={t('list.failed')}
        text={describeError(list.error)}
        retryIn={8}
        onRetry={() => void getStores().tickets.loadFirst(name)}
      />
    )
  if (skeleton) return <RowSkeletons />
  if (loading) return null
  if (list.ids.length === 0 && !list.nextCursor)
    return <EmptyList name={name} filters={filters} mayShowAll={mayShowAll} onFilters={onFilters} />
  return (
    <>
      <VirtualList
        ids={list.ids}
        rowHeight={rowHeight}
        selectedId={selectedId}
        label={t(`list.name.${name}`)}
        renderRow={row}
        onOpen={onOpen}
        onNearEnd={nearEnd}
        marks={marks}
        quick={quick}
        onMenu={onMenu}
        resetKey={`${name}${filters.showAll}${filters.queueIds?.join()}${filters.longestFirst}${filters.dueFirst}${filters.onlyUnread}${filters.onlyLate}`}
        footer={<ListFoot list={list} onMore={nearEnd} />}
      />
      {menu && <RowMenu key={`${menu.id} ${menu.x} ${menu.y}`} {...menu} onClose={() => setMenu(null)} />}
    </>
  )
}
