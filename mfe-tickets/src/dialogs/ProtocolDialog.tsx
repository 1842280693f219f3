// Before resolving: shall the customer get a protocol? (spec 1 §4 "resolve", §2 "protocol confirm")
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog } from '@balcao/ui/parts'
import { useRef } from 'react'
import { close, closeWithProtocol } from '../actions/end.ts'
import { closeDialog } from '../desk/view.ts'
import { Cancel } from './AcceptDialog.tsx'
import { EnterButton } from './EnterButton.tsx'
import type { Target } from './target.ts'
import { useAnchor } from './use-anchor.ts'

export function ProtocolDialog({ target: { context, contexts, many } }: { readonly target: Target }) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const cancel = useRef<HTMLButtonElement>(null)
  const anchor = useAnchor('ticket.resolve')

  function resolve(protocol: boolean) {
    if (busy) return
    if (many) return many({ protocol })
    during(async () => {
      if (await (protocol ? closeWithProtocol(context) : close(context, false))) closeDialog()
    })
  }

  return (
    <DockedDialog
      anchor={anchor}
      width={480}
      title={t('protocol.title')}
      intro={many ? t('many.chosen', { count: contexts.length }) : undefined}
      onClose={closeDialog}
      onSubmit={() => resolve(true)}
      footer={
        <>
          <Cancel ref={cancel} />
          <Button disabled={busy} onClick={() => resolve(false)}>
            {t('protocol.without')}
          </Button>
          <EnterButton busy={busy} harmless={cancel}>
            {t('protocol.do')}
          </EnterButton>
        </>
      }
    >
      <p>{t('protocol.text')}</p>
    </DockedDialog>
  )
}
