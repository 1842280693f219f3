import { useTexts } from '@balcao/ui/i18n'
import { Dialog, FormButtons, toast } from '@balcao/ui/parts'
import { PasswordFields } from './PasswordFields.tsx'
import { usePasswordChange } from './use-password-change.ts'
import './late.ts'

/** Changing the own password; other devices are signed out. */
export default function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const form = usePasswordChange(() => {
    toast.success(t('password.changed'))
    onClose()
  })
  return (
    <Dialog
      title={t('password.title')}
      intro={t('password.intro')}
      onClose={onClose}
      onSubmit={() => void form.submit()}
      footer={<FormButtons action={t('password.save')} busy={form.busy} onClose={onClose} />}
    >
      <PasswordFields form={form} currentLabel={t('password.current')} />
    </Dialog>
  )
}
