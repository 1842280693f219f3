// Where answers are written. Enabled only while the ticket is open; otherwise the same place says why and what opens it.
import type { Ticket } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Kbd } from '@balcao/ui/parts'
import { useMemo } from 'react'
import { actionsOn } from '../actions/register.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { Editor } from './Editor.tsx'
import { ticketPlace } from './place.ts'

interface ComposerProps {
  readonly ticket: Ticket
  readonly context: TicketContext
}

export function Composer({ ticket, context }: ComposerProps) {
  const t = useTexts('tickets')
  const place = useMemo(() => ticketPlace(ticket), [ticket])
  if (ticket.status !== 'open') return <Closed context={context} />
  return <Editor place={place} placeholder={t('composer.placeholder')} />
}

function Closed({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const opening = actionsOn(context).find(action => action.place === 'main')
  return (
    <footer className="k-closed">
      <p>{t(`composer.why.${context.ticket.status}`)}</p>
      {opening && (
        <button type="button" className="k-opening" onClick={() => void opening.perform(context)}>
          {t(opening.labelKey)}
          {opening.shortcut && <Kbd>{opening.shortcut}</Kbd>}
        </button>
      )}
    </footer>
  )
}
