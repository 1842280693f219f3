import type { Contact } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { HeldLetters, toast } from '@balcao/ui/parts'
import { ConfirmDanger, type RowDialogProps, useDialogData } from '@balcao/ui/screens'
import { useCallback, useEffect } from 'react'

/** Asks before a contact goes with all its conversations; one with a protocol stays, which is looked up first (spec 3 §5). */
export function RemoveContact({ row, rows, onClose }: RowDialogProps<Contact>) {
  const t = useTexts('contacts')
  const { id } = row
  const ask = (signal: AbortSignal) => api('GET /protocolos/contact/:contactId', { params: { contactId: id }, signal })
  const { last: isLinked } = useDialogData(id, ask, onClose)
  const refuse = useCallback(() => {
    toast.warning(t('linked'))
    onClose()
  }, [t, onClose])
  useEffect(() => {
    if (isLinked) refuse()
  }, [isLinked, refuse])
  if (isLinked !== false) return <HeldLetters />

  const remove = () =>
    api('DELETE /contacts/:id', { params: { id }, body: {} }).catch((error: unknown) => {
      // One was given just now.
      if (!isApiError(error, 'ERR_PROTOCOL_LINKED')) throw error
      refuse()
      return false
    })
  return (
    <ConfirmDanger
      title={t('confirm.title', { name: row.name || row.number || t('noName') })}
      text={t('confirm.text')}
      action={t('confirm.action')}
      done={t('removed')}
      already="ERR_NO_CONTACT_FOUND"
      onConfirm={remove}
      onDone={() => rows.drop(id)}
      onClose={onClose}
    />
  )
}
