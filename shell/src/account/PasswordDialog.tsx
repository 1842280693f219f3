import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, toast } from '@balcao/ui/parts'
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
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {t('account.cancel')}
          </Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            {t('password.save')}
          </Button>
        </>
      }
    >
      <PasswordFields form={form} currentLabel={t('password.current')} />
    </Dialog>
  )
}
