import { Button, IconButton, joinClasses, Menu } from '@balcao/ui/parts'
import { ChevronDown, X } from 'lucide-react'
import { useKitTexts } from './texts.ts'

interface FilterButtonProps<V extends string | number> {
  /** What it filters by: 'Tag', 'Fila'. */
  readonly label: string
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly value: V | null
  readonly onChange: (value: V | null) => void
}

/** A filter of a list: a button to pick by; in use it says what it shows, and has a cross. */
export function FilterButton<V extends string | number>({ label, options, value, onChange }: FilterButtonProps<V>) {
  const kit = useKitTexts()
  const chosen = options.find(option => option.value === value)
  const items = options.map(option => ({
    id: String(option.value),
    label: option.label,
    checked: option.value === value,
    onChoose: () => onChange(option.value),
  }))
  return (
    <span
      className={joinClasses('inline-flex items-center', chosen && 'rounded-field bg-primary-tint ring-1 ring-primary')}
    >
      <Menu
        label={label}
        items={items}
        align="start"
        button={props => (
          <Button {...props} kind={chosen ? 'plain' : 'normal'}>
            <span className="flex items-center gap-2">
              {chosen ? `${label}: ${chosen.label}` : label}
              <ChevronDown size={16} aria-hidden="true" />
            </span>
          </Button>
        )}
      />
      {chosen && (
        <IconButton icon={X} size="small" label={kit('letGoOf', { name: label })} onClick={() => onChange(null)} />
      )}
    </span>
  )
}
