import { DELEGATION_COLUMNS } from '@balcao/contract/contact-sheets/contact-sheets'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { ExportButton } from '@balcao/ui/screens'
import { SheetImport } from './SheetImport.tsx'

/** Whom contacts go to by themselves: everybody as a sheet, and such a sheet back (spec 3 §2). */
export function Delegation({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('contact-sheets')
  return (
    <SheetImport
      call="POST /contacts/delegation"
      name="delegation"
      columns={DELEGATION_COLUMNS.map(id => ({ id, label: t(`column.${id}`) }))}
      above={
        <div className="flex flex-wrap items-center gap-3 rounded-card border border-line px-4 py-3">
          <p className="m-0 min-w-0 flex-1 basis-64 text-cell text-text-2">{t('delegation.exportText')}</p>
          <ExportButton
            label={t('delegation.export')}
            begin={() => api('POST /contacts/export/delegation', { body: {} })}
          />
        </div>
      }
      onClose={onClose}
    />
  )
}
