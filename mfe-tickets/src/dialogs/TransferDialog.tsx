// To another queue (required), a person, a connection, with a word to the customer (spec 1 §4).
import type { User } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Field, Select, TextArea, toast } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'
import { change } from '../actions/change.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { useLookups } from '../desk/lookups.ts'
import { closeDialog } from '../desk/view.ts'
import { server } from '../server.ts'
import { Cancel } from './AcceptDialog.tsx'
import { useAnchor } from './use-anchor.ts'

export function TransferDialog({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const { ticket, queues } = context
  const { connections } = useLookups()
  const people = usePeople()
  const [queueId, setQueueId] = useState<number | null>(ticket.queueId)
  const [userId, setUserId] = useState<number | null>(null)
  const [whatsappId, setWhatsappId] = useState(ticket.whatsappId)
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const anchor = useAnchor('ticket.transfer')
  const mayTake = people.filter(user => user.active && queueId !== null && user.queueIds.includes(queueId))

  async function transfer() {
    if (busy) return
    if (queueId === null) return setError(t('transfer.required'))
    setBusy(true)
    const changed = await change(context, {
      queueId,
      userId,
      ...(whatsappId === ticket.whatsappId ? {} : { whatsappId }),
      ...(message.trim() === '' ? {} : { transferMessage: message.trim() }),
    })
    setBusy(false)
    if (!changed) return
    toast.success(t('transfer.done'))
    closeDialog()
    context.open(null)
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={t('transfer.title')}
      intro={t('transfer.intro')}
      onClose={closeDialog}
      onSubmit={() => void transfer()}
      footer={
        <>
          <Cancel />
          <Button type="submit" kind="primary" busy={busy}>
            {t('transfer.do')}
          </Button>
        </>
      }
    >
      <div className="g-form">
        <Field label={t('transfer.queue')} error={error} required>
          <Select
            options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
            value={queueId}
            onChange={next => {
              setQueueId(next)
              setUserId(null)
              setError(null)
            }}
          />
        </Field>
        <Field label={t('transfer.user')}>
          <Select
            clearable
            options={mayTake.map(user => ({ value: user.id, label: user.name }))}
            value={userId}
            placeholder={t('transfer.anyone')}
            onChange={setUserId}
          />
        </Field>
        {connections.length > 1 && (
          <Field label={t('transfer.connection')}>
            <Select
              options={connections.map(connection => ({ value: connection.id, label: connection.name }))}
              value={whatsappId}
              onChange={next => next !== null && setWhatsappId(next)}
            />
          </Field>
        )}
        <Field label={t('transfer.message')}>
          <TextArea value={message} maxLength={4096} onChange={setMessage} />
        </Field>
      </div>
    </DockedDialog>
  )
}

function usePeople(): readonly User[] {
  const [people, setPeople] = useState<readonly User[]>([])
  useEffect(() => {
    let left = false
    server
      .users()
      .then(users => {
        if (!left) setPeople(users)
      })
      .catch((error: unknown) => {
        if (!left) toast.error(errorText(error))
      })
    return () => {
      left = true
    }
  }, [])
  return people
}
