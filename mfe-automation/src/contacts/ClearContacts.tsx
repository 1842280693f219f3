import { CLEAR_WORD } from '@balcao/contract/contact-sheets/contact-sheets'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { HeldLetters, toast } from '@balcao/ui/parts'
import { ConfirmDanger, useDialogData } from '@balcao/ui/screens'
import { Lock, Trash2 } from 'lucide-react'

/** Clears the book of who never wrote and is in no protocol or schedule: the numbers first, and a word (decisions-2 §14). */
export function ClearContacts({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('contact-sheets')
  const preview = async (signal: AbortSignal) => {
    const response = await api('POST /contacts/clear', { query: { preview: 'true' }, body: {}, signal })
    if ('jobId' in response) throw new Error('A look began a deletion')
    return response
  }
  const { now: seen } = useDialogData('clear', preview, onClose)
  if (!seen) return <HeldLetters />
  const { deleted, total } = seen
  return (
    <ConfirmDanger
      great
      title={t('clear.title')}
      text={t(deleted === 0 ? 'clear.nobody' : 'clear.text')}
      figures={[
        { icon: Trash2, text: t('clear.gone', { count: deleted }), danger: true },
        { icon: Lock, text: t('clear.kept', { count: total - deleted }) },
      ]}
      wayOut={t('wayOut')}
      action={t('clear.action', { count: deleted })}
      onConfirm={async () => {
        if (deleted === 0) return
        await api('POST /contacts/clear', { query: {}, body: { confirm: CLEAR_WORD } })
        toast.info(t('begun'))
      }}
      onClose={onClose}
    />
  )
}
