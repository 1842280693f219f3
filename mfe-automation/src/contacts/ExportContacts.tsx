import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Dialog, FormButtons, Segments, toast } from '@balcao/ui/parts'
import { useState } from 'react'

const FORMATS = ['xlsx', 'csv'] as const

/** All contacts as a sheet that imports again: the file is in the tray when it is ready. */
export function ExportContacts({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('contact-sheets')
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('xlsx')
  const [busy, during] = useBusy()
  const begin = () =>
    during(async () => {
      await api('POST /contacts/export', { body: { format } })
      toast.info(t('begun'))
      onClose()
    })
  return (
    <Dialog
      title={t('export.title')}
      intro={t('export.intro')}
      onClose={onClose}
      onSubmit={begin}
      footer={<FormButtons action={t('export.action')} busy={busy} onClose={onClose} />}
    >
      <Segments
        label={t('export.format')}
        tabs={FORMATS.map(id => ({ id, label: t(`export.${id}`) }))}
        chosen={format}
        onChoose={setFormat}
      />
    </Dialog>
  )
}
