import type { Contact } from '@balcao/contract'
import sheets from '@balcao/contract/texts/contact-sheets/pt.json'
import { addTexts, useTexts } from '@balcao/ui/i18n'
import type { MenuItem } from '@balcao/ui/parts'
import { type BulkAction, JobStrip, type RowQuery, type Rows, useSelection } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { Contact as Book, Download, Eraser, Tag, Trash2, Upload, UserRoundCheck, UsersRound } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/contact-sheets/pt.json'
import { BulkDelegate } from './BulkDelegate.tsx'
import { BulkRemove } from './BulkRemove.tsx'
import { BulkTags } from './BulkTags.tsx'
import { ClearContacts } from './ClearContacts.tsx'
import { type ContactSelection, toChosen } from './contact-selection.ts'
import { Delegation } from './Delegation.tsx'
import { ExportContacts } from './ExportContacts.tsx'
import { ImportContacts } from './ImportContacts.tsx'
import { ImportPhone } from './ImportPhone.tsx'

addTexts('contact-sheets', {
  pt,
  en: () => import('../../locales/contact-sheets/en.json'),
  es: () => import('../../locales/contact-sheets/es.json'),
})
addTexts('contact-sheets', {
  pt: sheets,
  en: () => import('@balcao/contract/texts/contact-sheets/en.json'),
  es: () => import('@balcao/contract/texts/contact-sheets/es.json'),
})

const DIALOGS = {
  import: ImportContacts,
  phone: ImportPhone,
  export: ExportContacts,
  delegation: Delegation,
  clear: ClearContacts,
} as const
const BULK = { tags: BulkTags, delegate: BulkDelegate, remove: BulkRemove } as const

/** What is done to the contact book as a whole and to the chosen ones: what the page needs for it, and the dialogs. */
export function useManyContacts(rows: Rows<Contact, RowQuery>) {
  const t = useTexts('contact-sheets')
  const { addContact, editContact, delContact } = useUser()
  const [open, setOpen] = useState<keyof typeof DIALOGS | keyof typeof BULK | null>(null)
  const selection = useSelection(rows.rows, rows.query)
  const close = () => setOpen(null)

  const item = (id: keyof typeof DIALOGS, icon: MenuItem['icon'], danger = false): MenuItem => ({
    ...{ id, danger, label: t(`menu.${id}`), onChoose: () => setOpen(id) },
    ...(icon && { icon }),
  })
  const act = (id: keyof typeof BULK, icon: BulkAction['icon'], danger = false): BulkAction => ({
    ...{ id, icon, danger, perform: () => setOpen(id) },
  })
  const page = {
    selection,
    sheets: [
      ...(editContact ? [item('import', Upload), item('export', Download), item('phone', Book)] : []),
      ...(addContact ? [item('delegation', UsersRound)] : []),
    ],
    menu: delContact ? [item('clear', Eraser, true)] : [],
    bulk: [
      act('tags', Tag),
      ...(editContact ? [act('delegate', UserRoundCheck)] : []),
      ...(delContact ? [act('remove', Trash2, true)] : []),
    ],
    foot: <JobStrip kinds={STRIP} />,
  }

  const several: ContactSelection = {
    chosen: toChosen(selection, rows.query),
    count: !selection.all ? selection.ids.size : rows.isCapped ? null : rows.count,
  }
  const dialog = () => {
    if (open === null) return null
    if (isBulk(open)) {
      const Bulk = BULK[open]
      return <Bulk several={several} onDone={selection.letGo} onClose={close} />
    }
    const Dialog = DIALOGS[open]
    return <Dialog onClose={close} />
  }
  return { page, dialog: dialog() }
}

function isBulk(open: string): open is keyof typeof BULK {
  return open in BULK
}

/** The work of this page, shown at its foot as long as it goes on. */
const STRIP = [
  ...['contacts.import', 'contacts.phone', 'contacts.delegation', 'contacts.export', 'contacts.exportDelegation'],
  ...['contacts.clear', 'contacts.tag', 'contacts.assign', 'contacts.remove'],
]
