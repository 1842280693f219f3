import type { Queue, QueueInUse } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { ConfirmDanger, type RowDialogProps } from '@balcao/ui/screens'
import { MessagesSquare, Plug, Users } from 'lucide-react'
import { useState } from 'react'

const STATUSES = ['pending', 'open', 'paused', 'bot', 'nps'] as const

/** Asks before a queue is deleted: who loses it, and which tickets keep it there (decisions §3). */
export function RemoveQueue({ row, rows, onClose }: RowDialogProps<Queue>) {
  const t = useTexts('queues')
  const [inUse, setInUse] = useState<QueueInUse | null>(null)
  async function remove() {
    try {
      await api('DELETE /queue/:id', { params: { id: row.id } })
    } catch (error) {
      if (!isApiError(error, 'ERR_QUEUE_IN_USE')) throw error
      // The refusal brings the counts.
      setInUse(error.details as QueueInUse)
      return false
    }
  }
  const waiting = STATUSES.flatMap(status => {
    const count = inUse?.[status] ?? 0
    return count > 0 ? [{ icon: MessagesSquare, text: t(`inUse.${status}`, { count }), danger: true }] : []
  })
  const losing = [
    { icon: Users, text: t('confirm.people', { count: row.users }) },
    { icon: Plug, text: t('confirm.connections') },
  ]
  return (
    <ConfirmDanger
      title={t(inUse ? 'inUse.title' : 'confirm.title', { name: row.name })}
      text={<span role={inUse ? 'alert' : undefined}>{t(inUse ? 'inUse.text' : 'confirm.text')}</span>}
      figures={inUse ? waiting : losing}
      action={t(inUse ? 'inUse.action' : 'confirm.action')}
      done={t('removed')}
      already="ERR_NO_QUEUE_FOUND"
      onConfirm={remove}
      onDone={() => rows.drop(row.id)}
      onClose={onClose}
    />
  )
}
