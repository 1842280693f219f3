// To a person or a queue, with a word to the team (spec 1 §4).

import type { User } from '@balcao/contract'
import { hasKeyboard, isComposing } from '@balcao/ui/actions'
import { api } from '@balcao/ui/api'
import { showErrorToast, useBusy, usePeople, useQuery } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Field, FormButtons, Select, TextArea, toast } from '@balcao/ui/parts'
import { useLeaveQuestion } from '@balcao/ui/screens'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { change } from '../actions/change.ts'
import { useLookups } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { closeDialog } from '../desk/view.ts'
import { holdDialog } from './hold-dialog.ts'
import { TransferTargetField } from './TransferTargetField.tsx'
import type { DialogTarget } from './target.ts'
import { listTargetQueues, listTransferTargets, proposeTargetQueue, type TransferTarget } from './transferable.ts'
import { useAnchor } from './use-anchor.ts'

interface TransferDialogProps {
  readonly target: DialogTarget
  /** Who asked for it; chosen to begin with. */
  readonly proposed: number | null
}

export function TransferDialog({ target: { context, contexts, many }, proposed }: TransferDialogProps) {
  const t = useTexts('tickets')
  const { ticket, queues } = context
  const { connections, ready } = useLookups()
  const { people, isFailed } = useFirstPeople()
  const { last: load } = useQuery('load', signal => api('GET /tickets/load', { signal }))
  const served = useMemo(() => new Map(load?.map(({ userId, tickets }) => [userId, tickets])), [load])
  const targets = people && ready ? listTransferTargets(people, queues, context.viewer.id) : null
  const [chosen, setChosen] = useState<TransferTarget | null>(null)
  const [queueId, setQueueId] = useState<number | null>(null)
  const [whatsappId, setWhatsappId] = useState(ticket.whatsappId)
  const [message, setMessage] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [busy, during] = useBusy()
  const anchor = useAnchor('ticket.transfer')
  const { close, question } = useLeaveQuestion(message.trim() !== '', closeDialog)
  const form = useRef<HTMLDivElement>(null)
  const offered = chosen ? listTargetQueues(chosen, queues) : []

  function proposeQueue(target: TransferTarget): number | null {
    const now = findCommonQueue(contexts.map(each => each.ticket.queueId))
    return proposeTargetQueue(listTargetQueues(target, queues), now)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: proposed once, as soon as people are known
  useEffect(() => {
    const asking = targets?.find(({ person }) => person !== undefined && person.id === proposed)
    // Who asked serves other queues perhaps: then it goes to the first of those. Drawn anew at once, which it cannot be while this is drawn.
    if (asking) queueMicrotask(() => take(asking, proposeQueue(asking) ?? listTargetQueues(asking, queues)[0]?.id))
  }, [targets !== null, proposed])
  /** What is asked next has the focus: who else, which of their queues, or the word to the team. */
  function take(target: TransferTarget | null, queue = target && proposeQueue(target)) {
    flushSync(() => {
      setChosen(target)
      setMissing(false)
      if (target) setQueueId(queue)
    })
    // Who wrote on before it was known who it is goes on writing.
    if (form.current?.querySelector('textarea') === document.activeElement) return
    const isQueueOpen = target !== null && queue === null
    const next = target === null ? '[role=combobox]' : isQueueOpen ? '.p-dropdown input' : 'textarea'
    form.current?.querySelector<HTMLElement>(next)?.focus()
  }

  function transfer() {
    // Whom Enter meant is known once they are.
    if (busy || (targets === null && !isFailed)) return
    if (!chosen || queueId === null) return setMissing(true)
    const request = {
      queueId,
      userId: chosen.person?.id ?? null,
      ...(many || whatsappId === ticket.whatsappId ? {} : { whatsappId }),
      ...(message.trim() === '' ? {} : { transferMessage: message.trim() }),
    }
    if (many) return many(request)
    const leave = holdDialog()
    during(async () => {
      if (!(await change(context, request))) return
      toast.success(t('transfer.done'))
      leave()
      if (getStores().shown.ticketId === ticket.id) context.open(null)
    })
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={many ? t('transfer.titleMany', { count: contexts.length }) : t('transfer.title')}
      intro={t('transfer.intro')}
      onClose={close}
      onSubmit={transfer}
      footer={question ?? <FormButtons framed action={t('transfer.do')} busy={busy} onClose={close} />}
    >
      <div ref={form} className="g-form">
        <fieldset className="n-who" aria-label={t('transfer.to')}>
          <TransferTargetField
            targets={targets}
            isFailed={isFailed}
            chosen={chosen}
            served={served}
            error={isMissing && !chosen ? describeFault('call.transfer') : null}
            onChange={target => take(target)}
            onEarly={() => form.current?.querySelector('textarea')?.focus()}
          />
        </fieldset>
        {chosen?.person && offered.length > 1 && (
          <Field
            label={t('transfer.queue')}
            error={isMissing && queueId === null ? describeFault('call.transfer') : null}
            required
          >
            <Select
              options={offered.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
              value={queueId}
              onChange={setQueueId}
            />
          </Field>
        )}
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
          <TextArea value={message} maxLength={4096} onChange={setMessage} onKeyDown={submitByEnter} />
        </Field>
      </div>
    </DockedDialog>
  )
}

/** As they stood when they came: a list that is being chosen from does not move under the keys. */
function useFirstPeople(): { readonly people: readonly User[] | null; readonly isFailed: boolean } {
  const { last, error } = usePeople(showErrorToast)
  const [first, setFirst] = useState(last)
  if (first === null && last !== null) setFirst(last)
  return { people: first, isFailed: error !== null }
}

function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
  // As in the composer: on a touch keyboard it is a line break.
  if (!event.ctrlKey && !hasKeyboard()) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/** The queue all of them are in, if they are in one. */
function findCommonQueue(queueIds: readonly (number | null)[]): number | null {
  const [first = null] = queueIds
  return queueIds.every(id => id === first) ? first : null
}
