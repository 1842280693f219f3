import { TriangleAlert } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId } from 'react'
import { joinClasses } from './classes.ts'
import { Icon } from './Icon.tsx'

interface FieldIds {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

const FieldContext = createContext<FieldIds | null>(null)

interface FieldProps {
  readonly label: string
  /** One quiet line under the field. */
  readonly hint?: ReactNode
  /** What is wrong and what to do; turns the border red. */
  readonly error?: string | null
  readonly required?: boolean
  /** Right of the label: '37 de 50'. */
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A label over one control, with its hint and its error. The parts inside take their id and description from here.
 *
 * @example <Field label={t('name')} error={errors.name}><TextInput value={name} onChange={setName} /></Field>
 */
export function Field({ label, hint, error, required, aside, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined
  return (
    <div className={joinClasses('b-field', className)}>
      <span className="b-label-line">
        <label className="b-label" htmlFor={id}>
          {label}
          {required && <span aria-hidden="true"> *</span>}
        </label>
        {aside && <span className="b-hint">{aside}</span>}
      </span>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>{children}</FieldContext>
      {error && (
        <p id={errorId} className="b-field-error" role="alert">
          <Icon of={TriangleAlert} size={14} />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p id={hintId} className="b-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The ids a control inside a `Field` has to carry; outside of one it is just `id`. */
export function useFieldIds(id?: string) {
  const field = useContext(FieldContext)
  return {
    id: id ?? field?.id,
    'aria-describedby': field?.describedBy,
    'aria-invalid': field?.invalid || undefined,
  }
}
