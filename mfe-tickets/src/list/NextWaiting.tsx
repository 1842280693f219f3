// The next customer with one key or one press: accepted and opened, with the caret in the composer.
import type { RequestBody } from '@balcao/contract'
import { useActions } from '@balcao/ui/actions'
import { reportErrors } from '@balcao/ui/ask'
import { getTexts, useTexts } from '@balcao/ui/i18n'
import { Button, Kbd, toast } from '@balcao/ui/parts'
import { keepPerSession } from '@balcao/ui/session'
import { BellRing } from 'lucide-react'
import { useMemo } from 'react'
import { listAction } from '../actions/list-action.ts'
import { awaitComposer } from '../composer/coming.ts'
import { readQueues } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { view } from '../desk/view.ts'
import { server } from '../server.ts'
import { findListOrder, type ListFilters, type ListName } from '../tickets/is-in-list.ts'
import { useCounts } from '../tickets/use-tickets.ts'

const accepting = keepPerSession(() => ({ isBusy: false }))

interface NextWaitingProps {
  /** What the list of those who wait shows, and in which order. */
  readonly filters: ListFilters
  /** Above those who wait there is a button too, and where one has nobody yet; the key works beside every list. */
  readonly list: ListName | null
  readonly onOpen: (ticketId: number) => void
}

export function NextWaiting({ filters, list, onOpen }: NextWaitingProps) {
  const t = useTexts('tickets')
  const counts = useCounts()
  useNextAction(filters, onOpen)
  const isIdle = list === 'assigned' && counts?.assigned === 0
  if (!counts?.pending || !(isIdle || list === 'pending')) return null
  return (
    <Button
      kind="primary"
      size="small"
      icon={BellRing}
      className="t-next"
      onClick={() => void acceptNext(filters, onOpen)}
    >
      {t('action.acceptNext')} <Kbd>G</Kbd>
    </Button>
  )
}

/** The key, also where no list stands. */
export function useNextAction(filters: ListFilters, onOpen: NextWaitingProps['onOpen']) {
  const actions = useMemo(
    () => [listAction('acceptNext', 'G', () => acceptNext(filters, onOpen), { icon: BellRing })],
    [filters, onOpen],
  )
  useActions(actions)
}

/** The first row of the list as it is shown, the pinned ones first; in the order of the newest words, which says nothing of waiting, who has been waiting longest. */
async function acceptNext(filters: ListFilters, open: NextWaitingProps['onOpen']) {
  const now = accepting()
  if (now.isBusy) return
  now.isBusy = true
  const composer = awaitComposer(null, { isCertain: true })
  await reportErrors(async () => {
    try {
      const ticket = await server.next(toNextBody(filters))
      if (ticket) getStores().tickets.take(ticket)
      if (ticket) open(ticket.id)
      if (ticket?.status === 'open') return composer.stands(ticket.id)
      // It is asked for one of them: a dialog that comes before they do gives the focus to none.
      if (ticket) await readQueues()
      // Who writes on may not have seen yet that nobody waits.
      composer.fails(ticket ? undefined : 'refused')
      if (ticket) view.dialog = { kind: 'accept', ticketId: ticket.id }
      else toast.info(getTexts('tickets')(isNarrowed(filters) ? 'nobodyShown' : 'nobodyWaits'))
    } catch (error) {
      composer.fails('refused')
      throw error
    }
  })
  now.isBusy = false
}

function toNextBody(filters: ListFilters): RequestBody<'POST /tickets/next'> {
  const { queueIds, onlyUnread, onlyLate } = filters
  const order = findListOrder('pending', filters)
  return {
    ...(queueIds && { queueIds: [...queueIds] }),
    ...(order && { order }),
    ...(onlyLate && { late: true }),
    ...(onlyUnread && { withUnreadMessages: true }),
  }
}

function isNarrowed({ queueIds, onlyUnread, onlyLate }: ListFilters): boolean {
  return queueIds !== null || onlyUnread === true || onlyLate === true
}
