import { useTexts } from '@balcao/ui/i18n'
import { TextInput } from '@balcao/ui/parts'
import { createContext } from 'react'
import { ShownOnceDialog } from '../shown-once/ShownOnceDialog.tsx'

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

/** The secret of a webhook, or a token. */
export function SecretDialog({ texts = 'integrations', name, secret, onClose }: SecretDialogProps) {
  const t = useTexts(texts)
  const words = {
    title: t('secret.title', { name }),
    intro: t('secret.intro'),
    copy: t('secret.copy'),
    done: t('secret.done'),
    question: t('secret.question'),
    confirm: t('secret.kept'),
    back: t('secret.back'),
  }
  return (
    <ShownOnceDialog words={words} width={520} secrets={[secret]} text={secret} onClose={onClose}>
      {({ markCopied }) => (
        <TextInput
          readOnly
          aria-label={t('secret.label')}
          className="font-mono"
          value={secret}
          onChange={() => undefined}
          onFocus={event => event.currentTarget.select()}
          onCopy={() => markCopied(secret)}
        />
      )}
    </ShownOnceDialog>
  )
}
