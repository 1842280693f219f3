// Where answers are written: in an open ticket, and in one that waits, which is accepted by sending. In others the same place says why not,
// and what opens it.
import '../conversation/texts.ts'
import type { Ticket } from '@balcao/contract'
import { areLettersPaused } from '@balcao/ui/actions'
import { type Texts, useTexts } from '@balcao/ui/i18n'
import { defineLatePart, Kbd } from '@balcao/ui/parts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { listActions } from '../actions/register.ts'
import { performOnPress, type TicketContext } from '../actions/ticket-action.ts'
import { findNextTicket } from '../desk/next.ts'
import { view } from '../desk/view.ts'
import { isFollowing } from '../tickets/is-in-list.ts'
import { useOpeningEnds } from './coming.ts'
import { createTicketComposerContext } from './composer-context.ts'
import { DownNote } from './DownNote.tsx'
import { Editor } from './Editor.tsx'

const OwnerNote = defineLatePart(() => import('./OwnerNote.tsx'), 'inline')

interface ComposerProps {
  readonly ticket: Ticket
  readonly context: TicketContext
}

export function Composer({ ticket, context }: ComposerProps) {
  const t = useTexts('tickets')
  const place = useMemo(() => createTicketComposerContext(ticket, context), [ticket, context])
  const owner = findOwner(context)
  const follows = isFollowing(context.viewer, ticket)
  const isReturned = useIsReturned(ticket)
  const isEditing = useSnapshot(view).target[ticket.id]?.kind === 'edit'
  return (
    <>
      {ticket.status !== 'closed' && !ticket.isOutOfGroup && !place.onlyComments && (
        <DownNote whatsappId={ticket.whatsappId} />
      )}
      {(follows || (ticket.status === 'open' && owner)) && (
        <OwnerNote key={ticket.id} context={context} owner={owner} />
      )}
      {ticket.status === 'open' || (ticket.status === 'pending' && (!isReturned || isEditing)) ? (
        <Editor
          place={place}
          placeholder={place.onlyComments ? t('composer.placeholderTeam') : writeHint(ticket, owner, t)}
        />
      ) : (
        <Closed context={context} />
      )}
    </>
  )
}

/** The colleague whose conversation it is. */
function findOwner({ ticket, viewer }: TicketContext): Ticket['user'] {
  return ticket.userId === viewer.id ? null : ticket.user
}

/** Whether it went from open to waiting here: done with, what comes next stands there. */
function useIsReturned({ status }: Ticket): boolean {
  const [last, setLast] = useState({ status, isReturned: false })
  if (last.status !== status) setLast({ status, isReturned: last.status === 'open' && status === 'pending' })
  return last.isReturned
}

/** Who writes in a colleague's conversation sees whose it is where they write, and in a waiting one that it becomes theirs. */
function writeHint({ status }: Ticket, owner: Ticket['user'], t: Texts): string {
  if (status === 'pending') return t('composer.placeholderWaiting')
  return owner ? t('composer.placeholderWith', { name: owner.name }) : t('composer.placeholder')
}

function Closed({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const { ticket, open } = context
  useOpeningEnds('fails')
  const opening = listActions(context).find(action => action.place === 'main')
  useSnapshot(view)
  const next = findNextTicket(ticket.id)
  return (
    <footer className="k-closed">
      <p>{t(`composer.why.${ticket.status}`)}</p>
      {next !== undefined && <Next onChoose={() => open(findNextTicket(ticket.id) ?? next)} />}
      {opening && (
        <button type="button" className="k-opening" onClick={event => performOnPress(event, opening, context)}>
          {t(opening.labelKey)}
          {opening.shortcut && <Kbd>{opening.shortcut}</Kbd>}
        </button>
      )}
    </footer>
  )
}

/** Done with this one: the way to the next stands under the hand, since what had the focus has just gone. */
function Next({ onChoose }: { readonly onChoose: () => void }) {
  const t = useTexts('tickets')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => (areLettersPaused() ? undefined : button.current?.focus({ preventScroll: true })), [])
  return (
    <button ref={button} type="button" className="k-opening is-next" onClick={onChoose}>
      {t('action.next')}
      <Kbd>J</Kbd>
    </button>
  )
}
