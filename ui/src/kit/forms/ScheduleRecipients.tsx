// Whom a scheduled send goes to. One kind at a time: choosing another keeps nothing of the one before.
import { showErrorToast, useTags } from '@balcao/ui/ask'
import { Avatar, Field, MultiSelect, Select } from '@balcao/ui/parts'
import { findContacts, Picker } from '../screens/index.ts'
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
  return (
    <Field label={t('schedule.contacts')} error={error} hint={t('schedule.contactsHint')} required>
      <Picker
        many
        value={draft.contacts.map(({ id, name }) => ({ id, name: name || t('noName') }))}
        onChange={contacts => onChange({ contacts })}
        find={findContacts}
      />
    </Field>
  )
}
