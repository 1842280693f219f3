import { LIMITS, type ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { describeError, formatListTime, useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { Avatar, Button, Chip, DockedDialog, ErrorState, RowSkeletons } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PersonNumbers } from './numbers.ts'
import { createPacer, createRounds } from './pace.ts'

type Tickets = ResponseBody<'GET /dashboard/users/:id'>

interface PersonDialogProps {
  readonly person: PersonNumbers
  readonly queueId: number | null
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

/** What somebody serves now, the newest first, more of it on demand; a click opens the conversation. */
export function PersonDialog({ person, queueId, anchor, onClose }: PersonDialogProps) {
  const t = useTexts('dashboard')
  const [found, setFound] = useState<Tickets | null>(null)
  const [limit, setLimit] = useState<number>(LIMITS.personTickets)
  const [error, setError] = useState<unknown>(null)
  const isMissing = error !== null
  const rounds = useRef<ReturnType<typeof createRounds>>(undefined)
  const load = () => rounds.current?.restart()

  function more() {
    if (isMissing) load()
    else setLimit(old => old + LIMITS.personTickets)
  }

  useEffect(() => {
    const own = createRounds(async signal => {
      const query = queueId === null ? { limit } : { queueId, limit }
      try {
        const tickets = await api('GET /dashboard/users/:id', { params: { id: person.id }, query, signal })
        if (signal.aborted) return
        setFound(tickets)
        setError(null)
      } catch (failure) {
        if (!signal.aborted) setError(failure)
      }
    })
    rounds.current = own
    const { happened, stop } = createPacer(own.ask)
    const stops = [live.on('ticket', happened), live.onReset(own.restart), stop, own.stop]
    own.ask()
    return () => {
      for (const end of stops) end()
    }
  }, [person.id, queueId, limit])

  return (
    <DockedDialog anchor={anchor} width={404} title={t('ticketsOf', { name: person.name })} onClose={onClose}>
      {found === null && !isMissing && <RowSkeletons rows={4} />}
      {found === null && isMissing && (
        <ErrorState title={t('failed.tickets')} text={describeError(error)} onRetry={load} />
      )}
      {found && (
        <List
          {...found}
          onOpen={onClose}
          isComing={found.tickets.length < limit && !isMissing}
          isMissing={found.tickets.length < limit && isMissing}
          onMore={found.tickets.length < LIMITS.personTicketsMost ? more : undefined}
        />
      )}
    </DockedDialog>
  )
}

interface ListProps extends Tickets {
  readonly isComing: boolean
  /** More was asked for and did not come. */
  readonly isMissing: boolean
  readonly onOpen: () => void
  /** Not given: there is no more to be had here. */
  readonly onMore: (() => void) | undefined
}

function List({ tickets, hasMore, isComing, isMissing, onOpen, onMore }: ListProps) {
  const t = useTexts('dashboard')
  const list = useRef<HTMLUListElement>(null)
  /** How many there were when more was asked for: the first of the others takes the focus, as the button may go. */
  const before = useRef<number>(undefined)
  useEffect(() => {
    if (before.current === undefined || tickets.length <= before.current) return
    list.current?.children[before.current]?.querySelector('a')?.focus()
    before.current = undefined
  }, [tickets])
  if (tickets.length === 0) return <p className="m-0 py-6 text-center text-cell text-muted">{t('noOpen')}</p>
  return (
    <>
      <ul ref={list} className="m-0 grid list-none p-0">
        {tickets.map(ticket => (
          <li key={ticket.id} className="border-t border-line first:border-t-0">
            <Link
              to={`/tickets/${ticket.id}`}
              onClick={onOpen}
              className="flex items-center gap-3 rounded-control px-2 py-2 text-ink no-underline hover:bg-hover"
            >
              <Avatar
                id={ticket.contactId}
                name={ticket.contact.name}
                photo={ticket.contact.profilePicUrl}
                group={ticket.isGroup}
                size={32}
              />
              <span className="grid min-w-0 flex-1">
                <bdi className="truncate text-cell font-semibold">{ticket.contact.name}</bdi>
                <span className="truncate text-small text-text-2">{ticket.lastMessage}</span>
              </span>
              <span className="grid shrink-0 justify-items-end gap-1 text-small text-muted">
                {formatListTime(ticket.lastMessageAt)}
                {ticket.status === 'paused' ? (
                  <Chip>{t('paused')}</Chip>
                ) : (
                  ticket.queue && <Chip color={ticket.queue.color}>{ticket.queue.name}</Chip>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && isMissing && (
        <p role="alert" className="m-0 pt-2 text-small text-danger">
          {t('failed.tickets')}
        </p>
      )}
      {hasMore && onMore && (
        <Button
          className="mt-2 w-full"
          busy={isComing}
          onClick={() => {
            before.current = tickets.length
            onMore()
          }}
        >
          {t('showMore')}
        </Button>
      )}
      {hasMore && !onMore && (
        <p className="m-0 pt-2 text-small text-muted">{t('moreTickets', { count: tickets.length })}</p>
      )}
    </>
  )
}
