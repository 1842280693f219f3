import type { QuickAnswer } from '@balcao/contract'
import { isApiError } from '@balcao/ui/api'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import { deleteAnswer } from './calls.ts'

interface RemoveDialogProps {
  readonly answer: QuickAnswer
  readonly onRemoved: (id: number) => void
  readonly onClose: () => void
}

/** Asks before deleting. One that a colleague deleted meanwhile counts as deleted. */
export function RemoveDialog({ answer, onRemoved, onClose }: RemoveDialogProps) {
  const t = useTexts('automation')
  const [busy, setBusy] = useState(false)
  async function remove() {
    setBusy(true)
    try {
      await deleteAnswer(answer.id)
    } catch (error) {
      if (!isApiError(error, 'ERR_NO_QUICK_ANSWER_FOUND')) {
        toast.error(errorText(error))
        return setBusy(false)
      }
    }
    onRemoved(answer.id)
    toast.success(t('removed'))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('confirm.title', { shortcut: answer.shortcut })}
      text={t('confirm.text')}
      action={t('confirm.action')}
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  )
}
