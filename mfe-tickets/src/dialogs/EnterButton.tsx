import { Button } from '@balcao/ui/parts'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'

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
export function EnterButton({ busy, harmless, children }: EnterButtonProps) {
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
