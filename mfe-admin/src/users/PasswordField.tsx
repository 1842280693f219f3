import { useTexts } from '@balcao/ui/i18n'
import { Field, PasswordInput } from '@balcao/ui/parts'
import { type Form, PasswordRules } from '@balcao/ui/screens'
import { useState } from 'react'
import { drawPassword, type UserFields } from './form.ts'

interface PasswordFieldProps {
  readonly form: Form<UserFields>
  /** Why it cannot be changed here. */
  readonly locked?: string
}

/** A new password; each rule of the policy is told from the first key (spec 2 §5). What is wrong turns red only when somebody saves. */
export function PasswordField({ form, locked }: PasswordFieldProps) {
  const t = useTexts('users')
  const [drawn, setDrawn] = useState(0)
  const [isTyping, setTyping] = useState(false)
  const { password } = form.fields
  function draw() {
    form.set('password', drawPassword())
    setDrawn(drawn + 1)
  }
  return (
    <div>
      <Field
        label={t(form.isNew ? 'form.firstPassword' : 'form.password')}
        hint={locked ?? (password === '' ? t(form.isNew ? 'form.firstPasswordHint' : 'form.passwordHint') : undefined)}
        error={isTyping ? null : form.errorOf('password')}
        aside={
          !locked && (
            <button type="button" className="b-link" onClick={draw}>
              {t('form.draw')}
            </button>
          )
        }
      >
        <PasswordInput
          // Drawn anew it stands open, to be read.
          key={drawn}
          open={drawn > 0}
          value={password}
          onChange={value => {
            setTyping(true)
            form.set('password', value)
          }}
          onBlur={() => setTyping(false)}
          autoComplete="new-password"
          disabled={locked !== undefined}
          maxLength={100}
        />
      </Field>
      {password !== '' && <PasswordRules password={password} />}
    </div>
  )
}
