// Somebody already talks to this contact: who and where, and the way there, or to ask for it (spec 1 §8).
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import '../dialogs/texts.ts'
import { useOpenTicket } from '../desk/use-ticket-context.ts'
import { server } from '../server.ts'
import { type InTheWay, wayIn } from './state.ts'

export default function OtherTicketDialog({ other }: { readonly other: InTheWay }) {
  const t = useTexts('tickets')
  const open = useOpenTicket()
  const [busy, setBusy] = useState(false)
  const { ticketId, status, user, queue, visible } = other

  function close() {
    wayIn.other = null
  }

  function goThere() {
    close()
    open(ticketId)
  }

  async function ask() {
    if (busy) return
    setBusy(true)
    try {
      await server.ask(ticketId)
      toast.success(t('otherTicket.asked'), { detail: t('otherTicket.askedDetail') })
      close()
    } catch (error) {
      setBusy(false)
      toast.error(errorText(error))
    }
  }

  return (
    <Dialog
      title={t(`otherTicket.${status}`)}
      onClose={close}
      width={460}
      onSubmit={visible ? goThere : () => void ask()}
      footer={
        <>
          <Button onClick={close}>{t('otherTicket.close')}</Button>
          <Button type="submit" kind="primary" busy={busy} data-autofocus="">
            {visible
              ? t('otherTicket.open_it')
              : user
                ? t('otherTicket.askPerson', { name: user })
                : t('otherTicket.ask')}
          </Button>
        </>
      }
    >
      <dl className="n-facts">
        <div>
          <dt>{t('otherTicket.attendant')}</dt>
          <dd>{user ?? t('otherTicket.nobody')}</dd>
        </div>
        <div>
          <dt>{t('otherTicket.queue')}</dt>
          <dd>{queue ?? t('noQueue')}</dd>
        </div>
      </dl>
      {!visible && <p className="n-hint">{t('otherTicket.hidden')}</p>}
    </Dialog>
  )
}
