import { api } from '@balcao/ui/api'
import { showErrorToast, useBusy, useQuery } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, Select, toast } from '@balcao/ui/parts'
import { useState } from 'react'

/** The address book of a phone, as its connection told it (decisions-2 §14). */
export function ImportPhone({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('contact-sheets')
  const { last: connections } = useQuery('connections', signal => api('GET /whatsapp', { signal }), showErrorToast)
  const [chosen, choose] = useState<number | null>(null)
  const [refused, refuse] = useState<string | null>(null)
  const [busy, during] = useBusy()
  const options = (connections ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const whatsappId = chosen ?? connections?.find(({ isDefault }) => isDefault)?.id ?? connections?.[0]?.id ?? null
  const begin = () =>
    during(async () => {
      try {
        await api('POST /contacts/import', { query: whatsappId === null ? {} : { whatsappId } })
        toast.info(t('phone.begun'))
        onClose()
      } catch (error) {
        refuse(describeError(error))
      }
    })
  return (
    <Dialog
      title={t('phone.title')}
      intro={t('phone.intro')}
      onClose={onClose}
      onSubmit={begin}
      footer={<FormButtons action={t('phone.action')} busy={busy} disabled={whatsappId === null} onClose={onClose} />}
    >
      <Field label={t('phone.connection')} hint={t('phone.hint')} error={refused}>
        <Select
          options={options}
          value={whatsappId}
          onChange={id => {
            choose(id)
            refuse(null)
          }}
        />
      </Field>
    </Dialog>
  )
}
