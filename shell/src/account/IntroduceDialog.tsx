import { signUpRules } from '@balcao/contract/kit/forms'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { TextInput, toast } from '@balcao/ui/parts'
import { FormDialog, FormField, useForm } from '@balcao/ui/screens'
import { session, useUser } from '@balcao/ui/session'
import { PictureField } from './PictureField.tsx'
import './late.ts'

/** The owner's name and picture, asked at the first sign-in: customers read the name above every answer. */
export default function IntroduceDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const { id, name } = useUser()
  const { name: nameRule } = signUpRules
  const form = useForm<{ readonly name: string }, void, { name: typeof nameRule }>({
    texts: 'shell',
    start: { name: '' },
    rules: { name: nameRule },
    async save(fields) {
      session.user = await api('PUT /users/:id', { params: { id }, body: fields })
    },
    onSaved() {
      toast.success(t('account.saved'))
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('introduce.title')}
      intro={t('introduce.text', { name })}
      action={t('introduce.save')}
      onClose={onClose}
    >
      <PictureField name={form.fields.name || name} />
      <FormField form={form} name="name" hint={t('introduce.hint')} required>
        {field => <TextInput {...field} autoComplete="name" maxLength={200} data-autofocus="" />}
      </FormField>
    </FormDialog>
  )
}
