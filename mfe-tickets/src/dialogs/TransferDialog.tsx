// To another queue (required), a person, a connection, with a word to the team (spec 1 §4).

import type { User } from '@balcao/contract'
import { showErrorToast, useBusy, usePeople } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Field, FormButtons, Select, TextArea, toast } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'
import { change } from '../actions/change.ts'
import { useLookups } from '../desk/lookups.ts'
import { closeDialog } from '../desk/view.ts'
import type { DialogTarget } from './target.ts'
import { canServeQueue, listTransferable } from './transferable.ts'
import { useAnchor } from './use-anchor.ts'

const NOBODY: readonly User[] = []
/** As the dots on faces. */
const DOTS = { online: 'var(--b-ok)', away: 'var(--b-brass)', offline: 'var(--b-line-strong)' }

interface TransferDialogProps {
  readonly target: DialogTarget
  /** Who asked for it; chosen to begin with. */
  readonly proposed: number | null
}

export function TransferDialog({ target: { context, contexts, many }, proposed }: TransferDialogProps) {
  const t = useTexts('tickets')
  const { ticket, queues } = context
  const { connections } = useLookups()
  const people = usePeople(showErrorToast).last ?? NOBODY
  const [queueId, setQueueId] = useState<number | null>(() =>
    findCommonQueue(contexts.map(each => each.ticket.queueId)),
  )
  const [userId, setUserId] = useState<number | null>(proposed)
  const [whatsappId, setWhatsappId] = useState(ticket.whatsappId)
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, during] = useBusy()
  const anchor = useAnchor('ticket.transfer')
  const ui = useTexts('ui')
  const mayTake = listTransferable(people, queueId, context.viewer.id)

  // Who asks may serve other queues only: then it goes to the first of those.
  useEffect(() => {
    const asking = people.find(user => user.id === proposed)
    if (asking) setQueueId(now => (now !== null && canServeQueue(asking, now) ? now : (asking.queueIds[0] ?? now)))
  }, [people, proposed])

  function transfer() {
    if (busy) return
    if (queueId === null) return setError(describeFault('call.transfer'))
    const given = {
      queueId,
      userId,
      ...(many || whatsappId === ticket.whatsappId ? {} : { whatsappId }),
      ...(message.trim() === '' ? {} : { transferMessage: message.trim() }),
    }
    if (many) return many(given)
    during(async () => {
      if (!(await change(context, given))) return
      toast.success(t('transfer.done'))
      closeDialog()
      context.open(null)
    })
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={many ? t('transfer.titleMany', { count: contexts.length }) : t('transfer.title')}
      intro={t('transfer.intro')}
      onClose={closeDialog}
      onSubmit={transfer}
      footer={<FormButtons framed action={t('transfer.do')} busy={busy} onClose={closeDialog} />}
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
            options={mayTake.map(({ id, name, status }) => ({
              value: id,
              label: name,
              color: DOTS[status],
              note: ui(status),
            }))}
            value={userId}
            placeholder={t('transfer.anyone')}
            onChange={setUserId}
          />
        </Field>
        {connections.length > 1 && !many && (
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

/** The queue all of them are in, if they are in one. */
function findCommonQueue(queueIds: readonly (number | null)[]): number | null {
  const [first = null] = queueIds
  return queueIds.every(id => id === first) ? first : null
}
