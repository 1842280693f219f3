import { Field, Icon, joinClasses, MultiSelect, type Option } from '@balcao/ui/parts'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { type Pick, Picker } from './Picker.tsx'
import { useKitTexts } from './texts.ts'

/** Who gets a send: everybody with one of some tags, contacts by name, or all. */
export interface PickedRecipients {
  readonly by: 'tags' | 'contacts' | 'all'
  readonly contacts: readonly Pick[]
  readonly tagIds: readonly number[]
}

interface RecipientPickerProps {
  readonly value: PickedRecipients
  readonly onChange: (value: PickedRecipients) => void
  readonly find: (search: string, signal: AbortSignal) => Promise<readonly Pick[]>
  readonly tags: readonly Option<number>[]
  /** What is always said of sending to all: the sentence, and what comes of it. */
  readonly warning: { readonly title: string; readonly text: string }
  readonly error?: string | null
}

/** Choosing tags clears contacts, choosing contacts clears tags, all clears both (spec 3 §4). */
export function RecipientPicker({ value, onChange, find, tags, warning, error }: RecipientPickerProps) {
  const kit = useKitTexts()
  const name = useId()
  const { by, contacts, tagIds } = value
  return (
    <div className="grid gap-3">
      <div role="radiogroup" aria-label={kit('recipients.by')} className="grid gap-2 sm:grid-cols-3">
        {(['tags', 'contacts', 'all'] as const).map(way => (
          <label
            key={way}
            className={joinClasses(
              'flex min-h-12 cursor-pointer gap-2.5 rounded-card border px-3.5 py-2.5 text-body has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              way === by ? 'border-primary bg-primary-tint ring-1 ring-primary' : 'border-line-strong bg-surface',
            )}
          >
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 flex-none accent-primary"
              checked={way === by}
              onChange={() => onChange(way === 'all' ? { by: way, contacts: [], tagIds: [] } : { ...value, by: way })}
            />
            <span className="grid">
              <b className="font-semibold text-ink">{kit(`recipients.${way}`)}</b>
              <span className="text-small text-text-2">{kit(`recipients.${way}Note`)}</span>
            </span>
          </label>
        ))}
      </div>
      {by === 'tags' && (
        <Field label={kit('recipients.tagsField')} error={error}>
          <MultiSelect
            options={tags}
            value={tagIds}
            onChange={chosen => onChange({ by, tagIds: chosen, contacts: [] })}
          />
        </Field>
      )}
      {by === 'contacts' && (
        <Field label={kit('recipients.contactsField')} error={error}>
          <Picker
            many
            value={contacts}
            onChange={chosen => onChange({ by, contacts: chosen, tagIds: [] })}
            find={find}
          />
        </Field>
      )}
      <p className="m-0 flex gap-2.5 rounded-field bg-danger-tint px-3 py-2 text-cell text-danger">
        <Icon of={TriangleAlert} size={16} />
        <span>
          <b className="font-semibold">{warning.title}</b> {warning.text}
        </span>
      </p>
    </div>
  )
}
