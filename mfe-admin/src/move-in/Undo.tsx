import type { MoveIn } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { Button } from '@balcao/ui/parts'
import { ConfirmDanger } from '@balcao/ui/screens'
import { useState } from 'react'

interface UndoProps {
  readonly move: MoveIn
  readonly again: () => void
}

/** Takes back what came; where nothing did, throws away what was sent and read. */
export function Undo({ move, again }: UndoProps) {
  const t = useTexts('move-in')
  const [isAsking, setAsking] = useState(false)
  const words = Object.values(move.counts).some(count => count > 0) || move.state === 'done' ? 'undo' : 'discard'
  const close = () => setAsking(false)
  async function undo() {
    await api('POST /move-in/:id/undo', { params: { id: move.id } }).finally(again)
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t(`${words}.action`)}</Button>
      {isAsking && (
        <ConfirmDanger
          title={t(`${words}.title`)}
          text={t(`${words}.text`)}
          great={words === 'undo'}
          action={t(`${words}.action`)}
          onConfirm={undo}
          onClose={close}
        />
      )}
    </>
  )
}
