import type { Ticket } from '@balcao/contract'
import { readField } from '@balcao/contract/kit/read-field'
import { api, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { formatTime, useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Kbd, toast } from '@balcao/ui/parts'
import { ConfirmDanger } from '@balcao/ui/screens'
import { type ReactNode, useRef } from 'react'

interface TakeProps {
  readonly ticket: Ticket
  readonly words: ReactNode
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before a ticket goes from the bot to people (spec 3 §2 'Atender'). */
export function TakeFromBot({ ticket, words, onDone, onClose }: TakeProps) {
  const t = useTexts('bot-tickets')
  const kit = useTexts('ui')
  const [busy, during] = useBusy()
  const anchor = useRef(document.activeElement instanceof HTMLElement ? document.activeElement : null)
  const { name } = ticket.contact
  const take = () =>
    during(async () => {
      await end(ticket.id, 'pending')
      toast.success(t('saved'))
      onDone()
      onClose()
    })
  return (
    <DockedDialog
      title={t('take.title', { name })}
      anchor={anchor}
      width={372}
      onClose={onClose}
      onSubmit={take}
      footer={
        <>
          <Button onClick={onClose}>{kit('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy} data-autofocus="">
            <span className="flex items-center gap-2">
              {t('take.action')}
              <Kbd>Enter</Kbd>
            </span>
          </Button>
        </>
      }
    >
      <p className="mt-0 mb-3">{ticket.queue ? t('take.textIn', { queue: ticket.queue.name }) : t('take.text')}</p>
      <div className="rounded-field bg-wall p-2.5">
        <p className="m-0 inline-flex max-w-full items-baseline gap-2 rounded-card bg-surface px-2.5 py-1.5 text-cell text-ink">
          {words}
          <span className="flex-none text-time text-meta">{formatTime(ticket.lastMessageAt)}</span>
        </p>
      </div>
    </DockedDialog>
  )
}

/** Asks before what the bot has is closed without a word (spec 3 §2 'Fechar'). */
export function CloseBots({ ticket, onDone, onClose }: Omit<TakeProps, 'words'>) {
  const t = useTexts('bot-tickets')
  return (
    <ConfirmDanger
      title={t('close.title', { name: ticket.contact.name })}
      text={t('close.text')}
      action={t('close.action')}
      onConfirm={async () => {
        if (await end(ticket.id, 'closed')) toast.success(t('saved'))
        else toast.warning(t('close.left', { name: ticket.contact.name }))
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** False where the bot had it no more, and it may not be closed: people have it, as the customer asked for meanwhile. */
async function end(id: number, status: 'pending' | 'closed'): Promise<boolean> {
  try {
    await api('PUT /ticket2/:id', { params: { id }, body: { status } })
    return true
  } catch (error) {
    if (isApiError(error, 'ERR_INVALID_TRANSITION')) return readField(error.details, 'from') === 'closed'
    if (isApiError(error, 'ERR_NO_TICKET_FOUND')) return false
    throw error
  }
}
