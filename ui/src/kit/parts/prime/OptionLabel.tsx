import type { Option } from '../Select.tsx'

/** A choice as lists show it: dot, name, note. */
export function OptionLabel({ option }: { readonly option: Option<string | number> }) {
  return (
    <span className="b-option">
      {option.color && <span className="b-dot" style={{ background: option.color }} />}
      <span className="b-option-name">{option.label}</span>
      {option.note && <span className="b-option-note">{option.note}</span>}
    </span>
  )
}
