// Over the composer of a colleague's conversation: whose it is, and the two ways on.
import type { Ticket } from '@balcao/contract'
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { keepPerSession } from '@balcao/ui/session'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { takeOver } from '../actions/accept.ts'
import { endFollowing } from '../actions/end-following.ts'
import { performOnPress, type TicketContext } from '../actions/ticket-action.ts'
import { isFollowing } from '../tickets/is-in-list.ts'
import './late.ts'

/** By ticket, since when it was whose as its reader said that they answer all the same. */
const answered = keepPerSession(() => new Map<number, string>())

interface OwnerNoteProps {
  readonly context: TicketContext
  readonly owner: Ticket['user']
}

export default function OwnerNote({ context, owner }: OwnerNoteProps) {
  const t = useTexts('tickets')
  const { ticket, viewer } = context
  const follows = isFollowing(viewer, ticket)
  const [, draw] = useState(0)
  const since = `${owner?.id} ${ticket.acceptedAt}`
  if (!follows && answered().get(ticket.id) === since) return null

  /** The focus goes where the answer is written. */
  function answer() {
    answered().set(ticket.id, since)
    draw(times => times + 1)
    document.querySelector<HTMLElement>(`.k-composer[data-lane="${ticket.id}"] .k-field`)?.focus()
  }

  return (
    <Banner
      kind="info"
      icon={UserRound}
      action={
        <>
          {!follows && (
            <button type="button" className="w-claim-act" onClick={answer}>
              {t('owner.anyway')}
            </button>
          )}
          {takeOver.when(context) && (
            <button type="button" className="w-claim-act" onClick={event => performOnPress(event, takeOver, context)}>
              {t(takeOver.labelKey)}
            </button>
          )}
          {follows && (
            <button
              type="button"
              className="w-claim-act"
              onClick={() => void reportErrors(() => endFollowing(ticket.id, viewer.id))}
            >
              {t('owner.leave')}
            </button>
          )}
        </>
      }
    >
      {t(follows ? (owner ? 'owner.followed' : 'owner.followedFree') : 'owner.serves', { name: owner?.name })}
    </Banner>
  )
}
