// Whom a scheduled send goes to. One kind at a time: choosing another keeps nothing of the one before.
import { formatPhone } from '@balcao/contract/contacts/phone'
import { showErrorToast, useContacts, useTags } from '@balcao/ui/ask'
import { Avatar, Field, IconButton, MultiSelect, SearchInput, Select } from '@balcao/ui/parts'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { ScheduleAudience, ScheduleContact, ScheduleDraft } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface RecipientsProps {
  readonly draft: ScheduleDraft
  /** Null: about nobody in particular. */
  readonly about: ScheduleContact | null
  /** Whether others than the contact may be chosen (decisions §4). */
  readonly mayAll: boolean
  readonly error: string | null
  readonly onChange: (change: Partial<ScheduleDraft>) => void
}

const AUDIENCES: readonly ScheduleAudience[] = ['contact', 'contacts', 'tags', 'all']

export function Recipients({ draft, about, mayAll, error, onChange }: RecipientsProps) {
  const t = useFormTexts()
  const name = about?.contact.name || t('noName')
  if (!mayAll && !about) return <ContactPicker draft={draft} error={error} onChange={onChange} />
  if (!mayAll && about)
    return (
      <p className="h-to">
        <Avatar id={about.contactId} name={name} photo={about.contact.profilePicUrl} group={about.isGroup} size={30} />
        <span>{t('schedule.only', { name })}</span>
      </p>
    )
  return (
    <>
      <Field label={t('schedule.to')} error={draft.audience === 'all' || draft.audience === 'contact' ? error : null}>
        <Select
          options={AUDIENCES.filter(value => about !== null || value !== 'contact').map(value => ({
            value,
            label: t(about === null && value === 'contacts' ? 'schedule.audience.some' : `schedule.audience.${value}`, {
              name,
            }),
          }))}
          value={draft.audience}
          onChange={audience => onChange({ audience: audience ?? draft.audience, contacts: [], tagIds: [] })}
        />
      </Field>
      {draft.audience === 'contacts' && <ContactPicker draft={draft} error={error} onChange={onChange} />}
      {draft.audience === 'tags' && <TagPicker draft={draft} error={error} onChange={onChange} />}
    </>
  )
}

type PickerProps = Pick<RecipientsProps, 'draft' | 'error' | 'onChange'>

function TagPicker({ draft, error, onChange }: PickerProps) {
  const t = useFormTexts()
  const tags = useTags(showErrorToast).last ?? []
  return (
    <Field label={t('schedule.tags')} error={error} required>
      <MultiSelect
        options={tags.map(tag => ({ value: tag.id, label: tag.name, color: tag.color }))}
        value={draft.tagIds}
        onChange={tagIds => onChange({ tagIds })}
      />
    </Field>
  )
}

function ContactPicker({ draft, error, onChange }: PickerProps) {
  const t = useFormTexts()
  const [search, setSearch] = useState('')
  const { contacts: found } = useContacts(search, showErrorToast)
  const chosen = new Set(draft.contacts.map(contact => contact.id))
  const offered = found.filter(contact => !chosen.has(contact.id)).slice(0, 6)
  return (
    <Field label={t('schedule.contacts')} error={error} hint={t('schedule.contactsHint')} required>
      {draft.contacts.length > 0 && (
        <ul className="h-tags h-chosen" aria-label={t('schedule.chosen')}>
          {draft.contacts.map(contact => (
            <li key={contact.id} className="b-chip h-tag">
              <span className="b-chip-word">{contact.name || t('noName')}</span>
              <button
                type="button"
                aria-label={t('schedule.without', { name: contact.name || t('noName') })}
                onClick={() => onChange({ contacts: draft.contacts.filter(other => other.id !== contact.id) })}
              >
                <X size={12} strokeWidth={2} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <SearchInput
        label={t('schedule.findContact')}
        value={search}
        onChange={setSearch}
        onKeyDown={event => {
          // Enter belongs to the first one found, not to the dialog.
          if (event.key !== 'Enter') return
          event.preventDefault()
          const first = offered[0]
          if (first) onChange({ contacts: [...draft.contacts, first] })
        }}
      />
      {offered.length > 0 && (
        <ul className="h-found">
          {offered.map(contact => (
            <li key={contact.id}>
              <Avatar
                id={contact.id}
                name={contact.name || '?'}
                photo={contact.profilePicUrl}
                group={contact.isGroup}
                size={30}
              />
              <span className="b-two-lines">
                <strong>{contact.name || t('noName')}</strong>
                {contact.number && <small>{formatPhone(contact.number)}</small>}
              </span>
              <IconButton
                icon={Plus}
                label={t('schedule.with', { name: contact.name || t('noName') })}
                onClick={() => onChange({ contacts: [...draft.contacts, contact] })}
              />
            </li>
          ))}
        </ul>
      )}
    </Field>
  )
}
