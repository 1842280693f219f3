// The three fields of a change of password and what is wrong with them (spec 2 §5).
import type { FaultText } from '@balcao/contract/kit/app-error'
import { validatePassword } from '@balcao/contract/kit/validation'
import { api, isApiError } from '@balcao/ui/api'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { session, useUser } from '@balcao/ui/session'
import { sealText } from '@balcao/ui/wire'
import { useState } from 'react'

const FIELDS = ['currentPassword', 'password', 'confirmation'] as const
export type PasswordField = (typeof FIELDS)[number]
type Values = Readonly<Record<PasswordField, string>>

export interface PasswordError {
  /** Null: of none in particular. */
  readonly field: PasswordField | null
  readonly text: string
}

/**
 * The first thing wrong with the fields: its field, and a fault or the key of its text; null where nothing is.
 * @example findPasswordChangeError({ currentPassword: 'a', password: 'b', confirmation: 'c' }) // { field: 'confirmation', key: 'mismatch' }
 */
export function findPasswordChangeError(
  values: Values,
): { field: PasswordField; key: 'missing' | 'mismatch' } | { field: PasswordField; fault: FaultText } | null {
  const empty = FIELDS.find(name => values[name] === '')
  if (empty) return { field: empty, key: 'missing' }
  if (values.password !== values.confirmation) return { field: 'confirmation', key: 'mismatch' }
  const same = values.password === values.currentPassword ? 'call.samePassword' : null
  const fault = validatePassword(values.password) ?? same
  return fault && { field: 'password', fault }
}

/** State and sending of the form; `done` is called when the server has taken the new password. `typed`: the current one, where it is known. */
export function usePasswordChange(done: () => void, typed = '') {
  const t = useTexts('shell')
  const { id } = useUser()
  const [values, setValues] = useState<Values>({ currentPassword: typed, password: '', confirmation: '' })
  const [error, setError] = useState<PasswordError | null>(null)
  const [busy, setBusy] = useState(false)

  function set(field: PasswordField, value: string) {
    setValues({ ...values, [field]: value })
    setError(null)
  }

  async function submit() {
    if (busy) return
    const wrong = findPasswordChangeError(values)
    if (wrong) {
      const text = 'fault' in wrong ? describeFault(wrong.fault) : t(`password.${wrong.key}`)
      return setError({ field: wrong.field, text })
    }
    setBusy(true)
    try {
      const body = {
        currentPassword: await sealText(values.currentPassword),
        password: await sealText(values.password),
      }
      session.user = await api('PUT /users/:id', { params: { id }, body })
      done()
    } catch (caught) {
      setBusy(false)
      setError(toPasswordError(caught))
    }
  }

  return { values, set, error, busy, submit }
}

function toPasswordError(caught: unknown): PasswordError {
  if (isApiError(caught, 'ERR_VALIDATION') && caught.field('currentPassword'))
    return { field: 'currentPassword', text: describeFault('account.wrongPassword') }
  return { field: null, text: describeError(caught) }
}
