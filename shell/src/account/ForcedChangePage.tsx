import { useTexts } from '@balcao/ui/i18n'
import { Button, Logo, toast } from '@balcao/ui/parts'
import { useSession, useUser } from '@balcao/ui/session'
import { useState } from 'react'
import { begin, oneTime, signOut } from '../session/enter.ts'
import { PasswordFields } from './PasswordFields.tsx'
import { usePasswordChange } from './use-password-change.ts'
import './late.ts'

/** With a one-time password there is only this: change it, or leave. */
export default function ForcedChangePage() {
  const t = useTexts('shell')
  const { product } = useSession()
  const { name } = useUser()
  const [typed] = useState(() => oneTime().password)
  const form = usePasswordChange(() => {
    oneTime().password = ''
    begin()
    toast.success(t('password.changed'))
  }, typed)
  const [isAsked, ask] = useState(typed === '')
  // It may have been changed for another one meanwhile.
  if (form.error?.field === 'currentPassword' && !isAsked) ask(true)
  return (
    <main className="s-forced">
      <form
        className="s-forced-card"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <Logo size={36} label={product} />
        <h1>{t('password.forcedTitle', { name: name.split(' ')[0] })}</h1>
        <p>{t('password.forcedText')}</p>
        <PasswordFields form={form} currentLabel={isAsked ? t('password.oneTime') : null} autoFocus />
        <div className="s-forced-foot">
          <Button kind="plain" onClick={() => void signOut()}>
            {t('bar.signOut')}
          </Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            {t('password.save')}
          </Button>
        </div>
      </form>
    </main>
  )
}
