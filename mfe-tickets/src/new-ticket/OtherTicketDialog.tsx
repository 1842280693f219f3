// Somebody already talks to this contact: who and where, and the way there, or to ask for it (spec 1 §8). What was written waits for the
// answer in the draft of the conversation that was asked for.
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText, Dialog, IconButton, toast } from '@balcao/ui/parts'
import { Copy } from 'lucide-react'
import '../dialogs/texts.ts'
import './late.css'
import { useOpenTicket } from '../desk/use-ticket-context.ts'
import { addToDraft } from './keep-words.ts'
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
      addToDraft(ticketId, words)
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
      </dl>
      {!visible && <p className="n-hint">{t('otherTicket.hidden')}</p>}
      {words.trim() !== '' && (
        <div className="n-words">
          <p className="n-hint">{t('otherTicket.wrote')}</p>
          <p dir="auto">{words}</p>
          <IconButton icon={Copy} size="small" label={t('otherTicket.copy')} onClick={() => void copyText(words)} />
        </div>
      )}
    </Dialog>
  )
}
