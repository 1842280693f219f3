import type { Contact } from '@balcao/contract'
import { formatPhone, listPhoneVariants } from '@balcao/contract/contacts/phone'
import { formatDate } from '@balcao/ui/i18n'
import { Avatar, Button, Chips, Drawer, Icon, useNarrowerThan } from '@balcao/ui/parts'
import { Link, useNavigate } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'
import { Ban, ChevronRight, Merge, MessageSquareText, Pencil, ScrollText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MergeDialog } from './MergeDialog.tsx'
import { formatContactName, formatContactPhone, toAvatar } from './names.ts'
import { Past } from './Past.tsx'
import { usePanelTexts } from './texts.ts'
import type { ContactListActions } from './undo.ts'

interface ContactPanelProps {
  readonly contact: Contact
  readonly rows: ContactListActions
  readonly onEdit: () => void
  readonly onClose: () => void
}

/** Who a contact is and everything that happened with it, beside the list (spec 3 §2, decisions-2 §22). */
export function ContactPanel({ contact, rows, onEdit, onClose }: ContactPanelProps) {
  const t = usePanelTexts()
  const isNarrow = useNarrowerThan('wide')
  const navigate = useNavigate()
  const { editContact, profile } = useUser()
  const [isMerging, merge] = useState(false)
  const { id, isGroup } = contact
  return (
    <Drawer title={t('title')} width={isNarrow ? 420 : 440} over={isNarrow} takesFocus onClose={onClose}>
      <div className="grid gap-5 px-5 py-4">
        <Head contact={contact} />
        <div className="flex flex-wrap gap-2">
          {!isGroup && (
            <Button icon={MessageSquareText} onClick={() => void navigate(`/tickets?contato=${id}`)}>
              {t('write')}
            </Button>
          )}
          {editContact && (
            <Button icon={Pencil} onClick={onEdit}>
              {t('edit')}
            </Button>
          )}
          {editContact && !isGroup && (
            <Button icon={Merge} onClick={() => merge(true)}>
              {t('merge.open')}
            </Button>
          )}
        </div>
        <Facts contact={contact} />
        <Past contact={contact} rows={rows} />
        {profile === 'admin' && (
          <Link
            className="flex items-center gap-2 text-cell font-semibold text-primary-text"
            to={`/log?entity=contact&entityId=${id}`}
          >
            <Icon of={ScrollText} size={16} />
            {t('log')}
            <Icon of={ChevronRight} size={16} />
          </Link>
        )}
      </div>
      {isMerging && <MergeDialog contact={contact} rows={rows} onClose={() => merge(false)} />}
    </Drawer>
  )
}

function Head({ contact }: { readonly contact: Contact }) {
  return (
    <div className="flex min-w-0 items-center gap-3.5">
      <Avatar {...toAvatar(contact)} size={64} />
      <div className="grid min-w-0 gap-0.5">
        <bdi className="m-0 text-title font-semibold break-words text-ink">{formatContactName(contact)}</bdi>
        {contact.name && <span className="text-cell text-text-2">{formatContactPhone(contact)}</span>}
        <span className="flex flex-wrap gap-1">
          <Chips tags={contact.tags} most={6} />
        </span>
      </div>
    </div>
  )
}

function Facts({ contact }: { readonly contact: Contact }) {
  const t = usePanelTexts()
  // A number with and without the ninth digit is one number.
  const own = new Set(listPhoneVariants(contact.number ?? ''))
  const others = contact.numbers.filter(number => !own.has(number))
  return (
    <div className="grid gap-2">
      {contact.optedOutAt && (
        <p className="m-0 flex items-center gap-2 rounded-field bg-brass-tint px-3 py-2 text-cell text-brass-text">
          <Icon of={Ban} size={16} />
          {t('optedOut', { date: formatDate(contact.optedOutAt) })}
        </p>
      )}
      <dl className="m-0 grid grid-cols-[128px_1fr] gap-x-3 gap-y-1.5 text-cell">
        {contact.email && <Fact name={t('email')}>{contact.email}</Fact>}
        {others.length > 0 && <Fact name={t('numbers')}>{others.map(formatPhone).join(', ')}</Fact>}
        {!contact.isGroup && (
          <Fact name={t('answers')}>{t(contact.respostaAutomatica ? 'answersOn' : 'answersOff')}</Fact>
        )}
        {contact.extraInfo.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and the whole list comes anew
          <Fact key={at} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name={t('since')}>{formatDate(contact.createdAt)}</Fact>
      </dl>
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="break-words text-muted">{name}</dt>
      <dd className="m-0 min-w-0 break-words">{children}</dd>
    </>
  )
}
