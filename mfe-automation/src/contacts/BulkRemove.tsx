import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { HeldLetters, toast } from '@balcao/ui/parts'
import { ConfirmDanger, useDialogData } from '@balcao/ui/screens'
import { Lock, MessagesSquare, Trash2 } from 'lucide-react'
import type { BulkProps } from './BulkForm.tsx'

/** Up to so many are deleted without the word. */
const FEW = 10

/** Deletes the chosen contacts with all that was said with them; the numbers first, and who stays. */
export function BulkRemove({ several, onDone, onClose }: BulkProps) {
  const t = useTexts('contact-sheets')
  const body = { ...several.chosen, action: 'delete' as const }
  const preview = async (signal: AbortSignal) => {
    const response = await api('POST /contacts/bulk', { query: { preview: 'true' }, body, signal })
    if ('jobId' in response) throw new Error('A look began a deletion')
    return response
  }
  const { now: seen } = useDialogData('remove', preview, onClose)
  if (!seen) return <HeldLetters />
  const { contacts, tickets, kept } = seen
  const gone = contacts - kept
  return (
    <ConfirmDanger
      great={gone > FEW}
      title={t('bulk.remove.title', { count: contacts })}
      text={gone === 0 ? t('bulk.remove.allStay') : t('bulk.remove.text')}
      figures={[
        { icon: Trash2, text: t('bulk.remove.gone', { count: gone }), danger: true },
        { icon: MessagesSquare, text: t('bulk.remove.tickets', { count: tickets }) },
        ...(kept > 0 ? [{ icon: Lock, text: t('bulk.remove.kept', { count: kept }) }] : []),
      ]}
      wayOut={t('wayOut')}
      action={t('bulk.remove.action', { count: gone })}
      onConfirm={async () => {
        if (gone === 0) return
        await api('POST /contacts/bulk', { body })
        toast.info(t('begun'))
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
