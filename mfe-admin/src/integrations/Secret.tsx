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

/** The secret by which the other side knows who calls: copied now, or renewed later. */
export function SecretDialog({ name, secret, onClose }: ShownSecret & { readonly onClose: () => void }) {
  const t = useTexts('integrations')
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
