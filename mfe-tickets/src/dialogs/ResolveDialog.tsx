// Before a conversation is closed: the customer gets a farewell, and one key is pressed by mistake; where the company gives protocols,
// shall the customer get one? (spec 1 §4 "resolve", §2 "protocol confirm")
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Kbd } from '@balcao/ui/parts'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react'
import { close, closeWithProtocol } from '../actions/end.ts'
import { closeDialog } from '../desk/view.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { Cancel } from './AcceptDialog.tsx'
import { holdDialog } from './hold-dialog.ts'
import type { DialogTarget } from './target.ts'
import { useAnchor } from './use-anchor.ts'

interface ResolveDialogProps {
  readonly target: DialogTarget
  /** Whether a protocol is the question. */
  readonly protocol: boolean
}

export function ResolveDialog({ target: { context, contexts, many }, protocol }: ResolveDialogProps) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const cancel = useRef<HTMLButtonElement>(null)
  const anchor = useAnchor('ticket.resolve')

  function resolve(withProtocol: boolean) {
    if (busy) return
    if (many) return many({ protocol: withProtocol })
    const leave = holdDialog()
    during(async () => {
      if (await (withProtocol ? closeWithProtocol(context) : close(context, false))) leave()
    })
  }

  return (
    <DockedDialog
      anchor={anchor}
      width={protocol ? 480 : undefined}
      title={t(protocol ? 'protocol.title' : 'resolve.title')}
      intro={many ? t('many.chosen', { count: contexts.length }) : undefined}
      onClose={closeDialog}
      onSubmit={() => resolve(protocol)}
      footer={
        <>
          <Cancel ref={cancel} />
          {protocol && (
            <Button disabled={busy} onClick={() => resolve(false)}>
              {t('protocol.without')}
            </Button>
          )}
          <EnterButton busy={busy} harmless={cancel}>
            {protocol ? (
              t('protocol.do')
            ) : (
              <>
                {t('action.resolve')} <Kbd>Enter</Kbd>
              </>
            )}
          </EnterButton>
        </>
      }
    >
      <p>{protocol ? t('protocol.text') : t('resolve.text', { name: nameContact(context.ticket.contact) })}</p>
    </DockedDialog>
  )
}

interface EnterButtonProps {
  readonly busy: boolean
  /** The button that does nothing. */
  readonly harmless: RefObject<HTMLButtonElement | null>
  readonly children: ReactNode
}

/**
 * What Enter does in a question that a single key has opened. Words are no answer to it: who goes on typing is writing to somebody, and
 * the Enter behind those words must not say yes. With the first letter the focus goes to the harmless button.
 */
function EnterButton({ busy, harmless, children }: EnterButtonProps) {
  function key(event: KeyboardEvent) {
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      harmless.current?.focus()
    }
  }
  return (
    <Button type="submit" kind="primary" busy={busy} data-autofocus="" onKeyDown={key}>
      {children}
    </Button>
  )
}
