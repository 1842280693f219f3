import { signUpRules } from '@balcao/contract/kit/forms'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { Button, PasswordInput, TextInput, toast } from '@balcao/ui/parts'
import { FormDialog, FormField, useForm } from '@balcao/ui/screens'
import { session, useUser } from '@balcao/ui/session'
import { openText, sealText } from '@balcao/ui/wire'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { openAccount } from './account.ts'
import { PictureField } from './PictureField.tsx'
import './late.ts'

interface ProfileProps {
  readonly onClose: () => void
}

interface Fields {
  readonly name: string
  readonly email: string
  readonly currentPassword: string
}

/** Who one is here: the own name, e-mail and picture; profile and queues are the administrators' (spec 2 §5). */
export default function ProfileDialog({ onClose }: ProfileProps) {
  const email = useEmail(useUser().email)
  return email === null ? null : <OpenProfile email={email} onClose={onClose} />
}

/** `email` is empty where the browser cannot open it, and then stays as it is. */
function OpenProfile({ email, onClose }: ProfileProps & { readonly email: string }) {
  const t = useTexts('shell')
  const user = useUser()
  const isNew = (fields: Fields) => fields.email.trim().toLowerCase() !== email.toLowerCase()
  const { name: nameRule, email: emailRule } = signUpRules
  const form = useForm<Fields, void, { name: typeof nameRule }>({
    texts: 'shell',
    start: { name: user.name, email, currentPassword: '' },
    rules: { name: nameRule },
    faultsOf: fields =>
      isNew(fields)
        ? {
            ...withFault('email', emailRule(fields.email).fault),
            ...withFault('currentPassword', fields.currentPassword ? null : 'noPassword'),
          }
        : {},
    fieldOf: { ERR_DUPLICATED_EMAIL: 'email' },
    async save(fields) {
      const secret = isNew(fields)
        ? { email: await sealText(fields.email.trim()), currentPassword: await sealText(fields.currentPassword) }
        : {}
      session.user = await api('PUT /users/:id', { params: { id: user.id }, body: { name: fields.name, ...secret } })
    },
    onSaved() {
      toast.success(t('account.saved'))
      onClose()
    },
  })
  const facts = [
    [t('account.profile'), t(`profile.${user.profile}`)],
    [t('account.queues'), user.queues.map(queue => queue.name).join(', ') || t('account.noQueues')],
  ] as const
  return (
    <FormDialog form={form} title={t('account.title')} onClose={onClose}>
      <PictureField name={user.name} />
      <div className="s-account-form">
        <FormField form={form} name="name" required>
          {field => <TextInput {...field} autoComplete="name" maxLength={200} data-autofocus="" />}
        </FormField>
        <FormField form={form} name="email" hint={email === '' ? t('form.emailSealed') : undefined} required>
          {field => <TextInput {...field} type="email" autoComplete="email" maxLength={254} disabled={email === ''} />}
        </FormField>
        {isNew(form.fields) && (
          <FormField form={form} name="currentPassword" required>
            {field => <PasswordInput {...field} />}
          </FormField>
        )}
        <dl className="s-profile-facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div>
          <Button icon={KeyRound} onClick={() => openAccount('password')}>
            {t('password.title')}
          </Button>
        </div>
      </div>
    </FormDialog>
  )
}

function withFault(name: keyof Fields, fault: string | null) {
  return fault ? { [name]: fault } : {}
}

/** The e-mail as people read it; null until it is opened, empty where it cannot be (decisions §2). */
function useEmail(text: string): string | null {
  const [email, setEmail] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    void openText(text).then(words => current && setEmail(words))
    return () => {
      current = false
    }
  }, [text])
  return email
}
