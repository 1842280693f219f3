import { CONTACT_FIELDS, REPEATED_FIELDS } from '@balcao/contract/contact-sheets/contact-sheets'
import { useTexts } from '@balcao/ui/i18n'
import { SheetImport } from './SheetImport.tsx'

/** Contacts from a sheet (decisions-2 §14): looked at first, then work that goes on by itself. */
export function ImportContacts({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('contact-sheets')
  return (
    <SheetImport
      call="POST /contacts/import"
      name="import"
      columns={CONTACT_FIELDS.map(id => ({
        ...{ id, label: t(`column.${id}`) },
        isRepeated: REPEATED_FIELDS.some(one => one === id),
      }))}
      onClose={onClose}
    />
  )
}
