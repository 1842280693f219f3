// Somebody already talks to this contact: who and where, and the way there, or to ask for it (spec 1 §8).
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, toast } from '@balcao/ui/parts'
import '../dialogs/texts.ts'
import { useOpenTicket } from '../desk/use-ticket-context.ts'
import { type BlockingTicket, wayIn } from './state.ts'

export default function OtherTicketDialog({ other }: { readonly other: BlockingTicket }) {
  const t = useTexts('tickets')
  const open = useOpenTicket()
  const [busy, during] = useBusy()
  const { ticketId, status, user, queue, askPass, visible, words } = other

  function close() {
    wayIn.other = null
  }

  function goThere() {
    close()
    open(ticketId)
  }

  const ask = () =>
    during(async () => {
      await api('POST /tickets/:id/ask', { params: { id: ticketId }, query: askPass ? { askPass } : {} })
      toast.success(t('otherTicket.asked'), { detail: t('otherTicket.askedDetail') })
      close()
    })

  return (
    <Dialog
      title={t(`otherTicket.${status}`)}
      onClose={close}
      width={460}
      onSubmit={visible ? goThere : ask}
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
        {words.trim() !== '' && (
          <div>
            <dt>{t('newTicket.words')}</dt>
            <dd dir="auto">{words}</dd>
          </div>
        )}
      </dl>
      {!visible && <p className="n-hint">{t('otherTicket.hidden')}</p>}
    </Dialog>
  )
}
