// In which queue does a conversation without one begin? Keys 1 to 9 choose, Enter starts (spec 1 §2).
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Kbd, toSafeColor } from '@balcao/ui/parts'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { acceptTicket, findAcceptQueue, listAcceptQueues } from '../actions/accept.ts'
import { closeDialog } from '../desk/view.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { holdDialog } from './hold-dialog.ts'
import type { DialogTarget } from './target.ts'
import { useAnchor } from './use-anchor.ts'

export function AcceptDialog({ target: { context, contexts, many } }: { readonly target: DialogTarget }) {
  const t = useTexts('tickets')
  const [queueId, setQueueId] = useState<number | null>(null)
  const [busy, during] = useBusy()
  const anchor = useAnchor('ticket.accept', 'ticket.acceptBeforeBot')
  const queues = listAcceptQueues(context)

  function start() {
    if (queueId === null || busy) return
    if (many) return many({ queueId })
    const leave = holdDialog()
    during(async () => (await acceptTicket(context, queueId)) && leave())
  }

  function key(event: KeyboardEvent) {
    const queue = /^[1-9]$/.test(event.key) ? queues[Number(event.key) - 1] : undefined
    if (queue) setQueueId(queue.id)
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      start()
    }
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={t('accept.title')}
      intro={
        many
          ? t('accept.introMany', { count: contexts.filter(each => findAcceptQueue(each) === null).length })
          : t('accept.intro', { name: nameContact(context.ticket.contact) })
      }
      onClose={closeDialog}
      onSubmit={start}
      footer={
        <>
          {queues.length > 0 && (
            <span className="g-keys">
              <Kbd>1</Kbd> {t('accept.to')} <Kbd>{Math.min(9, queues.length)}</Kbd>
            </span>
          )}
          <Cancel />
          <Button type="submit" kind="primary" disabled={queueId === null} busy={busy}>
            {t('accept.start')} <Kbd>Enter</Kbd>
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: digits choose, wherever the focus is among the choices */}
      <div onKeyDown={key}>
        {queues.length === 0 && <p>{t('accept.none')}</p>}
        <fieldset className="g-queues" aria-label={t('accept.title')}>
          {queues.map((queue, index) => (
            <label key={queue.id} className="g-queue">
              <input
                type="radio"
                name="queue"
                checked={queue.id === queueId}
                data-autofocus={index === 0 ? '' : undefined}
                onChange={() => setQueueId(queue.id)}
              />
              <i style={{ background: toSafeColor(queue.color) }} />
              <span>
                <strong>{queue.name}</strong>
                <small>
                  {t('accept.people', { count: queue.users })} · {t('accept.open', { count: queue.open })}
                </small>
              </span>
            </label>
          ))}
        </fieldset>
      </div>
    </DockedDialog>
  )
}

export function Cancel({ ref }: { readonly ref?: Ref<HTMLButtonElement> }) {
  const t = useTexts('ui')
  return (
    <Button ref={ref} onClick={closeDialog}>
      {t('cancel')}
    </Button>
  )
}
