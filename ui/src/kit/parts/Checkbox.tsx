import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { joinClasses } from './classes.ts'
import { useFieldIds } from './Field.tsx'

interface CheckProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  readonly className?: string
}

/** A box with its words. `<Checkbox checked={sign} onChange={setSign}>{t('sign')}</Checkbox>` */
export function Checkbox({
  checked,
  onChange,
  disabled,
  className,
  children,
}: CheckProps & { readonly children: ReactNode }) {
  return (
    <label className={joinClasses('b-check', disabled && 'is-off', className)}>
      <input
        className="b-choice"
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={event => onChange(event.target.checked)}
      />
      <span className="b-check-box" aria-hidden="true">
        <Check size={14} strokeWidth={2.6} />
      </span>
      <span>{children}</span>
    </label>
  )
}

interface SwitchProps extends CheckProps {
  readonly label: string
  /** A quiet line under the label. */
  readonly hint?: string
  /** The words stay for screen readers only. */
  readonly bare?: boolean
}

/** On or off, at once. `<Switch label={t('showAll')} checked={all} onChange={setAll} />` */
export function Switch({ checked, onChange, disabled, label, hint, bare, className }: SwitchProps) {
  const ids = useFieldIds()
  const id = useId()
  return (
    <label className={joinClasses('b-switch', disabled && 'is-off', className)}>
      <span className={bare ? 'b-only-read' : 'b-switch-words'} id={`${id}-label`}>
        <span>{label}</span>
        {hint && <span className="b-hint">{hint}</span>}
      </span>
      <input
        className="b-choice"
        type="checkbox"
        role="switch"
        aria-checked={checked}
        {...ids}
        checked={checked}
        disabled={disabled}
        onChange={event => onChange(event.target.checked)}
      />
      <span className="b-switch-track" aria-hidden="true" />
    </label>
  )
}
