// What can be done to the marked conversations: every action of the register that is possible for all or some of them.
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, IconButton, Kbd, Menu } from '@balcao/ui/parts'
import { EllipsisVertical, X } from 'lucide-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import '../dialogs/texts.ts'
import { TICKET_ACTIONS } from '../actions/register.ts'
import type { TicketAction, TicketContext } from '../actions/ticket-action.ts'
import { useTicketContexts } from '../desk/use-ticket-context.ts'
import { view } from '../desk/view.ts'
import { clearMarks, marked } from './marked.ts'
import { OutcomeDialog } from './OutcomeDialog.tsx'
import { runMany } from './run.ts'
import './late.css'

export default function BulkBar() {
  const t = useTexts('tickets')
  const { ids, outcome } = useSnapshot(marked)
  const contexts = useTicketContexts(ids)
  const [busy, setBusy] = useState<string | null>(null)
  const offered = listBulkOffers(contexts)
  const inMenu = offered.filter(({ action }) => action.place === 'menu')
  const nameOf = ({ action, count }: BulkOffer) =>
    count === ids.length ? t(action.labelKey) : t('many.some', { action: t(action.labelKey), count })

  async function perform(action: TicketAction) {
    const possible = contexts.filter(action.when)
    const [first] = possible
    if (!first || busy) return
    setBusy(action.id)
    await reportErrors(async () => {
      const dialog = await action.many?.ask?.(possible)
      if (!dialog) return runMany(action, possible, {})
      const ticketIds = possible.map(({ ticket }) => ticket.id)
      view.dialog = { kind: dialog, ticketId: first.ticket.id, ticketIds, actionId: action.id }
    })
    setBusy(null)
  }

  return (
    <>
      {ids.length > 0 && (
        <section className="l-bar" aria-label={t('many.bar')}>
          <p className="l-head">
            <strong role="status">{t('many.chosen', { count: ids.length })}</strong>
            <span className="l-hint">
              <Kbd>Esc</Kbd>
            </span>
            <IconButton icon={X} size="small" label={t('many.clear')} onClick={clearMarks} />
          </p>
          <div className="l-actions">
            {offered
              .filter(({ action }) => action.place !== 'menu')
              .map(offer => (
                <Button
                  key={offer.action.id}
                  size="small"
                  icon={offer.action.icon}
                  busy={busy === offer.action.id}
                  onClick={() => void perform(offer.action)}
                >
                  {nameOf(offer)}
                </Button>
              ))}
            {inMenu.length > 0 && (
              <Menu
                label={t('many.more')}
                side="above"
                items={inMenu.map(offer => ({
                  id: offer.action.id,
                  label: nameOf(offer),
                  icon: offer.action.icon,
                  danger: offer.action.danger,
                  onChoose: () => void perform(offer.action),
                }))}
                button={props => <IconButton {...props} icon={EllipsisVertical} size="small" label={t('many.more')} />}
              />
            )}
          </div>
        </section>
      )}
      {outcome && <OutcomeDialog outcome={outcome} />}
    </>
  )
}

interface BulkOffer {
  readonly action: TicketAction
  /** For how many of them it is possible. */
  readonly count: number
}

/** Each action once, with for how many it is possible. */
function listBulkOffers(contexts: readonly TicketContext[]): readonly BulkOffer[] {
  return TICKET_ACTIONS.flatMap(action => {
    const count = action.many ? contexts.filter(action.when).length : 0
    return count === 0 ? [] : [{ action, count }]
  })
}
