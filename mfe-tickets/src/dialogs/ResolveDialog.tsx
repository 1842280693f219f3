// Before the key of resolving closes a conversation: the customer gets a farewell, and one key is pressed by mistake.
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Kbd } from '@balcao/ui/parts'
import { useRef } from 'react'
import { close } from '../actions/end.ts'
import { closeDialog } from '../desk/view.ts'
import { Cancel } from './AcceptDialog.tsx'
import { EnterButton } from './EnterButton.tsx'
import type { Target } from './target.ts'
import { useAnchor } from './use-anchor.ts'

export function ResolveDialog({ target: { context } }: { readonly target: Target }) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const cancel = useRef<HTMLButtonElement>(null)
  const anchor = useAnchor('ticket.resolve')

  const resolve = () => during(async () => (await close(context, false)) && closeDialog())

  return (
    <DockedDialog
      anchor={anchor}
      title={t('resolve.title')}
      onClose={closeDialog}
      onSubmit={resolve}
      footer={
        <>
          <Cancel ref={cancel} />
          <EnterButton busy={busy} harmless={cancel}>
            {t('action.resolve')} <Kbd>Enter</Kbd>
          </EnterButton>
        </>
      }
    >
      <p>{t('resolve.text', { name: context.ticket.contact.name || t('noName') })}</p>
    </DockedDialog>
  )
}
