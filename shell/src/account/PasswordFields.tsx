import { useTexts } from '@balcao/ui/i18n'
import { Field, PasswordInput } from '@balcao/ui/parts'
import { PasswordRules } from '@balcao/ui/screens'
import type { PasswordField, usePasswordChange } from './use-password-change.ts'

interface PasswordFieldsProps {
  readonly form: ReturnType<typeof usePasswordChange>
  /** The first field's name: the current or the one-time password. Without one it is known, and not asked. */
  readonly currentLabel: string | null
  /** On a page of its own; a dialog puts the focus itself. */
  readonly autoFocus?: boolean
}

/** Current, new and repeated password. */
export function PasswordFields({ form, currentLabel, autoFocus }: PasswordFieldsProps) {
  const t = useTexts('shell')
  const field = (name: PasswordField, label: string) => (
    <Field label={label} error={form.error?.field === name ? form.error.text : null} required>
      <PasswordInput
        name={name}
        autoFocus={autoFocus && name === (currentLabel === null ? 'password' : 'currentPassword')}
        autoComplete={name === 'currentPassword' ? 'current-password' : 'new-password'}
        value={form.values[name]}
        onChange={value => form.set(name, value)}
      />
    </Field>
  )
  return (
    <div className="s-account-form">
      {currentLabel !== null && field('currentPassword', currentLabel)}
      <div>
        {field('password', t('password.new'))}
        <PasswordRules password={form.values.password} />
      </div>
      {field('confirmation', t('password.repeat'))}
      {form.error?.field === null && (
        <p className="s-account-error" role="alert">
          {form.error.text}
        </p>
      )}
    </div>
  )
}
