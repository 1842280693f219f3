import { Checkbox, joinClasses, QueueDot } from '@balcao/ui/parts'

interface CheckChipsProps<V extends string | number> {
  readonly label: string
  readonly options: readonly { readonly value: V; readonly label: string; readonly color?: string }[]
  readonly value: readonly V[]
  readonly onChange: (value: readonly V[]) => void
}

/** Some of a few, each a chip with its box: days, permissions. */
export function CheckChips<V extends string | number>({ label, options, value, onChange }: CheckChipsProps<V>) {
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="b-label mb-1.5 p-0">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(option => {
          const isChosen = value.includes(option.value)
          return (
            <Checkbox
              key={option.value}
              checked={isChosen}
              onChange={is =>
                onChange(
                  options.flatMap(({ value: one }) => ((one === option.value ? is : value.includes(one)) ? [one] : [])),
                )
              }
              className={joinClasses(
                'h-8.5 rounded-field border px-3 text-cell',
                isChosen ? 'border-primary bg-primary-tint' : 'border-line-strong bg-surface',
              )}
            >
              {option.color ? (
                <span className="flex items-center gap-1.5">
                  <QueueDot color={option.color} />
                  {option.label}
                </span>
              ) : (
                option.label
              )}
            </Checkbox>
          )
        })}
      </div>
    </fieldset>
  )
}
