// One choice out of a few, side by side.
interface Props<T extends string> {
  labelledBy: string
  options: [T, string][]
  value: T | undefined
  onChange: (value: T) => void
}

export function Segment<T extends string>({ labelledBy, options, value, onChange }: Props<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this in every browser
    <div className="segment" role="group" aria-labelledby={labelledBy}>
      {options.map(([option, label]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {label}
        </button>
      ))}
    </div>
  )
}
