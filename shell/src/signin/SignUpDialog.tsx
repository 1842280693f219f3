import { applyFieldRules, signUpRules } from '@balcao/contract/kit/forms'
import { api, isApiError } from '@balcao/ui/api'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, PasswordInput, TextInput, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import '../account/late.ts'

type Errors = Partial<Record<'name' | 'email' | 'password' | 'form', string>>

/** Signing up oneself, where the company allows it; an administrator then lets the person in. */
export default function SignUpDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const form = useSignUp(onClose)
  return (
    <Dialog
      title={t('signup.title')}
      intro={t('signup.intro')}
      onClose={onClose}
      onSubmit={() => void form.submit()}
      footer={<FormButtons action={t('signup.submit')} busy={form.busy} onClose={onClose} />}
    >
      <div className="s-account-form">
        <Field label={t('form.name')} error={form.errors.name} required>
          <TextInput name="name" autoComplete="name" maxLength={50} value={form.name} onChange={form.setName} />
        </Field>
        <Field label={t('form.email')} error={form.errors.email} required>
          <TextInput name="email" type="email" autoComplete="email" value={form.email} onChange={form.setEmail} />
        </Field>
        <Field label={t('signin.password')} hint={t('password.policy')} error={form.errors.password} required>
          <PasswordInput
            name="new-password"
            autoComplete="new-password"
            value={form.password}
            onChange={form.setPassword}
          />
        </Field>
        {form.errors.form && (
          <p className="s-account-error" role="alert">
            {form.errors.form}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function useSignUp(done: () => void) {
  const t = useTexts('shell')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)

  function problems(): Errors {
    const { faults } = applyFieldRules(signUpRules, { name, email, password })
    return {
      ...(faults.name && { name: t('signup.nameWrong') }),
      ...(faults.email && { email: t('signup.emailWrong') }),
      ...(faults.password && { password: describeFault(faults.password) }),
    }
  }

  async function submit() {
    if (busy) return
    const wrong = problems()
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      await api('POST /auth/signup', { body: { name: name.trim(), email: email.trim(), password } })
      toast.success(t('signup.done'))
      done()
    } catch (caught) {
      setBusy(false)
      setErrors({ form: isApiError(caught, 'ERR_VALIDATION') ? t('signup.failed') : describeError(caught) })
    }
  }

  return { name, setName, email, setEmail, password, setPassword, errors, busy, submit }
}
