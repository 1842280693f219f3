// Before what was written is thrown away it is asked once, in the foot of its form.
import { Button } from '@balcao/ui/parts'
import { type ReactNode, useState } from 'react'
import { useKitTexts } from './texts.ts'

interface LeaveQuestion {
  /** Leaves, or asks whether to. */
  readonly close: () => void
  /** What stands in the foot while it is asked, else null. */
  readonly question: ReactNode
}

/** @example const { close, question } = useLeaveQuestion(text !== '', onClose) */
export function useLeaveQuestion(isWritten: boolean, onLeave: () => void): LeaveQuestion {
  const [isAsking, setAsking] = useState(false)
  return {
    close: () => (isWritten && !isAsking ? setAsking(true) : onLeave()),
    question: isAsking && isWritten ? <Question onStay={() => setAsking(false)} onLeave={onLeave} /> : null,
  }
}

function Question({ onStay, onLeave }: { readonly onStay: () => void; readonly onLeave: () => void }) {
  const kit = useKitTexts()
  return (
    <>
      <strong className="b-foot-question" role="alert">
        {kit('leave.question')}
      </strong>
      <Button kind="plain" onClick={onLeave}>
        {kit('leave.discard')}
      </Button>
      <Button kind="primary" ref={button => button?.focus()} onClick={onStay}>
        {kit('leave.stay')}
      </Button>
    </>
  )
}
