import { Field, MultiSelect, type Option, Segments } from '@balcao/ui/parts'
import { type Pick, Picker } from './Picker.tsx'
import { useKitTexts } from './texts.ts'

/** Who gets a send: contacts by name, everybody with one of some tags, or all. */
export interface Recipients {
  readonly by: 'contacts' | 'tags' | 'all'
  readonly contacts: readonly Pick[]
  readonly tagIds: readonly number[]
}

interface RecipientPickerProps {
  readonly value: Recipients
  readonly onChange: (value: Recipients) => void
  readonly find: (search: string, signal: AbortSignal) => Promise<readonly Pick[]>
  readonly tags: readonly Option<number>[]
  /** How many these are now; null while nobody knows. */
  readonly count: number | null
  /** What is always said of sending to all. */
  readonly warning: string
}

export function RecipientPicker({ value, onChange, find, tags, count, warning }: RecipientPickerProps) {
  const kit = useKitTexts()
  const change = (part: Partial<Recipients>) => onChange({ ...value, ...part })
  const ways = (['contacts', 'tags', 'all'] as const).map(id => ({ id, label: kit(`recipients.${id}`) }))
  return (
    <div className="grid gap-3">
      <Segments label={kit('recipients.by')} tabs={ways} chosen={value.by} onChoose={by => change({ by })} />
      {value.by === 'contacts' && (
        <Field label={kit('recipients.contacts')}>
          <Picker many value={value.contacts} onChange={contacts => change({ contacts })} find={find} />
        </Field>
      )}
      {value.by === 'tags' && (
        <Field label={kit('recipients.tags')}>
          <MultiSelect options={tags} value={value.tagIds} onChange={tagIds => change({ tagIds })} />
        </Field>
      )}
      {value.by === 'all' && <p className="m-0 text-cell text-danger">{warning}</p>}
      <p className="m-0 text-small text-text-2" role="status">
        {count !== null && kit('recipients.count', { count })}
      </p>
    </div>
  )
}
