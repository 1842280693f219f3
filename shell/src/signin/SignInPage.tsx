import { isApiError } from '@balcao/ui/api'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, defineLatePart, Field, Icon, Logo, PasswordInput, TextInput } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import { Lock, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { announceSession } from '../session/enter.ts'
import { useSystem } from '../session/system.ts'
import { DemoAccounts } from './DemoAccounts.tsx'
import { LanguageRow } from './LanguageRow.tsx'
import { signIn } from './sign-in.ts'
import { Welcome } from './Welcome.tsx'
import '../account/late.ts'
import './signin.css'

const SignUpDialog = defineLatePart(() => import(/* webpackChunkName: "lazy-signup" */ './SignUpDialog.tsx'))

/** The public page (spec 1 §2): e-mail, password, and what to do when the system is blocked. */
export default function SignInPage() {
  const t = useTexts('shell')
  const { company, product, version } = useSession()
  const system = useSystem()
  const form = useSignIn()
  const [signingUp, setSigningUp] = useState(false)
  const blocked = system?.blocked === true || form.blocked

  return (
    <main className="s-signin">
      <Welcome />
      <div className="s-signin-side">
        <form className="s-signin-form" onSubmit={event => void form.submit(event)} noValidate>
          <span className="s-signin-logo">
            <Logo size={40} label={product} />
          </span>
          <h1>{t('signin.title')}</h1>
          <p className="s-signin-company">{company || product}</p>
          <Field label={t('signin.email')}>
            <TextInput
              large
              type="email"
              name="email"
              autoComplete="username"
              inputMode="email"
              autoFocus
              value={form.email}
              onChange={form.setEmail}
            />
          </Field>
          <Field label={t('signin.password')} hint={t('signin.forgot')}>
            <PasswordInput large name="password" value={form.password} onChange={form.setPassword} />
          </Field>
          {form.error && (
            <p className="s-signin-error" role="alert">
              <Icon of={TriangleAlert} size={16} />
              {form.error}
            </p>
          )}
          {blocked ? (
            <Blocked supportUrl={system?.supportUrl ?? null} financeUrl={system?.financeUrl ?? null} />
          ) : (
            <Button kind="primary" size="large" type="submit" busy={form.busy}>
              {t('signin.submit')}
            </Button>
          )}
          {system?.userCreation && !blocked && (
            <p className="s-signup">
              <button type="button" className="b-link" onClick={() => setSigningUp(true)}>
                {t('signup.link')}
              </button>
            </p>
          )}
          <p className="s-signin-team">
            <Icon of={Lock} size={14} />
            {t('signin.team')}
          </p>
          <DemoAccounts accounts={system?.demoAccounts ?? []} onChoose={form.fill} />
        </form>
        <footer className="s-signin-foot">
          <span>{version && `v${version}`}</span>
          <LanguageRow />
        </footer>
      </div>
      {signingUp && <SignUpDialog onClose={() => setSigningUp(false)} />}
    </main>
  )
}

function Blocked({ supportUrl, financeUrl }: { supportUrl: string | null; financeUrl: string | null }) {
  const t = useTexts('shell')
  return (
    <div className="s-blocked">
      <Button size="large" disabled>
        {t('signin.blocked')}
      </Button>
      <p>{t('signin.blockedText')}</p>
      <p className="s-blocked-links">
        {supportUrl && (
          <a className="b-link" href={supportUrl}>
            {t('signin.support')}
          </a>
        )}
        {financeUrl && (
          <a className="b-link" href={financeUrl}>
            {t('signin.finance')}
          </a>
        )}
      </p>
    </div>
  )
}

function useSignIn() {
  const t = useTexts('shell')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [blocked, setBlocked] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (email.trim() === '' || password === '') return setError(t('signin.missing'))
    setBusy(true)
    setError(null)
    try {
      await signIn(email.trim(), password)
    } catch (caught) {
      setBlocked(isApiError(caught, 'ERR_SYSTEM_BLOCKED'))
      setError(textOf(caught))
      if (isApiError(caught, 'ERR_INVALID_WORKING_TIME')) announceSession(caught)
      setBusy(false)
    }
  }

  function textOf(caught: unknown) {
    if (isApiError(caught, 'ERR_TOO_MANY_ATTEMPTS') && caught.retryAfter)
      return t('signin.wait', { seconds: caught.retryAfter })
    return isApiError(caught, 'ERR_SYSTEM_BLOCKED') ? null : describeError(caught)
  }

  function fill(account: { readonly email: string; readonly password: string }) {
    setEmail(account.email)
    setPassword(account.password)
    setError(null)
  }

  return { email, setEmail, password, setPassword, error, busy, blocked, submit, fill }
}
