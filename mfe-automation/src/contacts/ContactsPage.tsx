import type { Contact } from '@balcao/contract'
import { ContactForm } from '@balcao/ui/forms'
import { addTexts, getTexts, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chips, Icon, useNarrowerThan } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { type Column, DataPage, type RowAction, useRows } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { Ban, Contact as Book, MessageSquareText, Pencil } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/contacts/pt.json'
import { CONTACTS } from './list.ts'
import { useManyContacts } from './ManyContacts.tsx'
import { formatContactName, formatContactPhone, toAvatar } from './names.ts'
import { RemoveContact } from './RemoveContact.tsx'
import { usePanel } from './use-panel.tsx'

addTexts('contacts', {
  pt,
  en: () => import('../../locales/contacts/en.json'),
  es: () => import('../../locales/contacts/es.json'),
})

/** The page of contacts (spec 3 §2): everybody by name, live; what one may do goes by the three flags (spec 3 §6). */
export default function ContactsPage() {
  const isNarrow = useNarrowerThan('wide')
  const rows = useRows(CONTACTS)
  const [edited, edit] = useState<Contact | 'new' | null>(null)
  const { addContact, delContact } = useUser()
  const { action, panel, chosen } = usePanel(rows, edit)
  const many = useManyContacts(rows)
  return (
    <>
      <DataPage
        texts="contacts"
        icon={Book}
        rows={rows}
        columns={panel ? BESIDE : isNarrow ? NARROW : COLUMNS}
        nameOf={formatContactName}
        cardOf={contact => ({
          before: <Avatar {...toAvatar(contact)} size={44} />,
          title: formatContactName(contact),
          text: formatContactPhone(contact),
          note: <Marks contact={contact} most={1} />,
        })}
        actions={[action, ...useRowActions(edit)]}
        chosen={chosen}
        panel={panel}
        {...many.page}
        {...(addContact && { onAdd: () => edit('new') })}
        {...(delContact && { removal: RemoveContact })}
      />
      {many.dialog}
      {edited && (
        <ContactForm contact={edited === 'new' ? null : edited} onClose={() => edit(null)} onSaved={rows.put} />
      )}
    </>
  )
}

/** A conversation with them, and their fields. */
function useRowActions(edit: (contact: Contact) => void): RowAction<Contact>[] {
  const navigate = useNavigate()
  const { editContact } = useUser()
  const write: RowAction<Contact> = {
    ...{ id: 'write', icon: MessageSquareText, when: ({ isGroup }) => !isGroup },
    perform: ({ id }) => void navigate(`/tickets?contato=${id}`),
  }
  const change: RowAction<Contact> = { id: 'edit', icon: Pencil, perform: edit }
  return [write, ...(editContact ? [change] : [])]
}

const COLUMNS: readonly Column<Contact>[] = [
  {
    id: 'name',
    width: 'w-[25%]',
    cell: contact => (
      <span className="flex min-w-0 items-center gap-2.5">
        <Avatar {...toAvatar(contact)} size={28} />
        <bdi className="min-w-0 truncate font-semibold text-ink" title={formatContactName(contact)}>
          {formatContactName(contact)}
        </bdi>
      </span>
    ),
  },
  { id: 'number', width: 'w-44', cell: formatContactPhone },
  {
    id: 'answers',
    width: 'w-44',
    cell: ({ respostaAutomatica }) => getTexts('contacts')(respostaAutomatica ? 'yes' : 'no'),
  },
  {
    id: 'email',
    cell: ({ email }) =>
      email && (
        <span className="block truncate" title={email}>
          {email}
        </span>
      ),
  },
  {
    id: 'tags',
    width: 'w-[20%]',
    cell: contact =>
      (contact.tags.length > 0 || contact.optedOutAt) && (
        <span className="flex min-w-0 items-center gap-1">
          <Marks contact={contact} />
        </span>
      ),
  },
]

/** What there is room for beside the panel. */
const BESIDE = COLUMNS.filter(({ id }) => ['name', 'number', 'tags'].includes(id))
/** An address of which one letter would be seen is read in the panel. */
const NARROW = COLUMNS.filter(({ id }) => id !== 'email').map(column =>
  column.width === 'w-44' ? { ...column, width: 'w-40' } : column,
)

/** The tags, behind who takes no sends. */
function Marks({ contact: { tags, optedOutAt }, most = 2 }: { readonly contact: Contact; readonly most?: number }) {
  const t = useTexts('contacts')
  return (
    <>
      {optedOutAt && <Icon of={Ban} size={14} label={t('optedOut')} className="flex-none text-brass-text" />}
      <Chips tags={tags} most={most} />
    </>
  )
}
