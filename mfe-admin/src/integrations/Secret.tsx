import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText, Dialog, IconButton, TextInput } from '@balcao/ui/parts'
import { Copy } from 'lucide-react'
import { createContext } from 'react'

/** A secret that was just made, and whose it is. */
export interface ShownSecret {
  readonly name: string
  readonly secret: string
}

/** Shows a secret over the page, once. */
export const SecretContext = createContext<(shown: ShownSecret) => void>(() => undefined)

interface SecretDialogProps extends ShownSecret {
  readonly texts?: 'integrations' | 'api-tokens'
  readonly onClose: () => void
}

/** A secret that is copied now, or made anew later. */
export function SecretDialog({ texts = 'integrations', name, secret, onClose }: SecretDialogProps) {
  const t = useTexts(texts)
  return (
    <Dialog
      title={t('secret.title', { name })}
      intro={t('secret.intro')}
      width={520}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('secret.done')}
        </Button>
      }
    >
      <TextInput
        readOnly
        aria-label={t('secret.label')}
        className="font-mono"
        value={secret}
        onChange={() => undefined}
        onFocus={event => event.currentTarget.select()}
        after={<IconButton icon={Copy} label={t('secret.copy')} onClick={() => void copyText(secret)} />}
      />
    </Dialog>
  )
}
