// What was found: conversations by who they are with, then messages. One list box, so arrows go through both.
import { describeError, formatDate, useTexts } from '@balcao/ui/i18n'
import { Button, toast } from '@balcao/ui/parts'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { getStores } from '../desk/stores.ts'
import { useAround } from '../desk/use-ticket-context.ts'
import { isOnQuickMark, isQuickKey, makeQuickAccept, QuickMark, type QuickRowAction } from '../list/quick-row.tsx'
import { TicketRow } from '../list/TicketRow.tsx'
import { useTouch } from '../list/use-touch.ts'
import { isServed } from '../tickets/served.ts'
import { useTicket } from '../tickets/use-tickets.ts'
import '../list/empty-texts.ts'
import { HitRow } from './HitRow.tsx'
import { openFound } from './open-found.ts'
import {
  joinFound,
  keepFound,
  type SearchRequest,
  type SearchResult,
  type SearchResultRow,
  search,
  toResultRows,
} from './search-store.ts'
import { findFurther } from './use-found.ts'

interface FoundListProps {
  readonly request: SearchRequest
  readonly found: SearchResult
  readonly words: readonly string[]
  readonly selectedId: number | null
  readonly showConnection: boolean
  readonly onOpen: (ticketId: number) => void
}

export function FoundList({ request, found, words, selectedId, showConnection, onOpen }: FoundListProps) {
  const t = useTexts('tickets')
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const { at } = useSnapshot(search)
  const rows = toResultRows(found)
  const active = rows.some(row => row.key === at) ? at : null
  const around = useAround()
  const quick = useMemo(() => makeQuickAccept(around, t('action.accept')), [around, t])

  // J and K step from outside the list.
  useEffect(() => {
    if (active) box.current?.querySelector(`[data-row="${active}"]`)?.scrollIntoView?.({ block: 'nearest' })
  }, [active])

  function key(event: KeyboardEvent) {
    const now = rows.findIndex(row => row.key === active)
    const steps: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: rows.length - 1 }
    const chosen = rows[now]
    if ((event.key === 'Enter' || event.key === ' ') && chosen) {
      event.preventDefault()
      return openFound(chosen, onOpen)
    }
    if (chosen && isQuickKey(event, quick) && isWaiting(chosen)) {
      event.preventDefault()
      return quick.perform(chosen.ticketId)
    }
    const step = steps[event.key]
    const next = step === undefined ? undefined : rows[Math.max(0, Math.min(rows.length - 1, step))]
    if (!next) return
    event.preventDefault()
    search.at = next.key
  }

  return (
    <div ref={box} className="f-scroll">
      <div
        role="listbox"
        aria-label={t('search.results')}
        tabIndex={0}
        aria-activedescendant={active ? `${id}${active}` : undefined}
        className="f-rows"
        onKeyDown={key}
        onFocus={() => {
          if (active === null) search.at = rows[0]?.key ?? null
        }}
      >
        {[
          { name: t('search.tickets'), rows: rows.filter(row => !row.hit) },
          { name: t('search.messages'), rows: rows.filter(row => row.hit) },
        ].map(
          part =>
            part.rows.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
              <div key={part.name} role="group" aria-label={part.name}>
                <p className="f-head" role="presentation">
                  {part.name}
                </p>
                {part.rows.map(row => (
                  <Slot
                    key={row.key}
                    row={row}
                    id={`${id}${row.key}`}
                    isSelected={row.ticketId === selectedId}
                    isActive={row.key === active}
                    quick={quick}
                    words={words}
                    showConnection={showConnection}
                    onOpen={onOpen}
                  />
                ))}
              </div>
            ),
        )}
      </div>
      {found.next ? (
        <MoreRows key={found.next} request={request} found={found} />
      ) : (
        <p className="t-foot">{t(found.isCut ? 'search.most' : 'list.end')}</p>
      )}
    </div>
  )
}

interface SlotProps extends Pick<FoundListProps, 'words' | 'showConnection' | 'onOpen'> {
  readonly row: SearchResultRow
  readonly id: string
  readonly isSelected: boolean
  readonly isActive: boolean
  readonly quick: QuickRowAction
}

function Slot({ row, id, isSelected, isActive, quick, words, showConnection, onOpen }: SlotProps) {
  // It is drawn anew when its ticket changes.
  useTicket(row.ticketId)
  const isOffered = isWaiting(row)
  const accept = () => quick.perform(row.ticketId)
  const touch = useTouch(isOffered ? { onSwipe: accept } : {})
  function click(event: MouseEvent) {
    if (touch.wasMore()) return
    if (isOffered && isOnQuickMark(event)) accept()
    else openFound(row, onOpen)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it has the focus and the keys
    <div
      role="option"
      tabIndex={-1}
      id={id}
      data-row={row.key}
      aria-selected={isSelected}
      className={isActive ? 'f-slot is-active' : 'f-slot'}
      onMouseDown={event => event.preventDefault()}
      onClick={click}
      {...touch.handlers}
    >
      {row.hit ? (
        <HitRow hit={row.hit} words={words} showConnection={showConnection} />
      ) : (
        <TicketRow id={row.ticketId} showConnection={showConnection} />
      )}
      {isOffered && <QuickMark {...quick} />}
    </div>
  )
}

/** A conversation that was found waits as it does in its list; of a message it is not the conversation that is looked for. */
function isWaiting({ hit, ticketId }: SearchResultRow): boolean {
  const ticket = getStores().tickets.ticket(ticketId)
  return !hit && ticket?.status === 'pending' && isServed(ticket)
}

/** Goes on where the search stopped, and says how far back that was. */
function MoreRows({ request, found }: Pick<FoundListProps, 'request' | 'found'>) {
  const t = useTexts('tickets')
  const [busy, setBusy] = useState(false)
  async function more() {
    setBusy(true)
    try {
      const further = await findFurther(request, found)
      // Meanwhile something else may be asked for, or the same once more.
      const now = search.found
      if (now?.key === found.key) keepFound(joinFound(now, further))
    } catch (error) {
      toast.error(describeError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="t-foot">
      {found.searchedTo && <p role="status">{t('search.searchedTo', { day: formatDate(found.searchedTo) })}</p>}
      <Button kind="plain" size="small" busy={busy} onClick={() => void more()}>
        {t('search.more')}
      </Button>
    </div>
  )
}
