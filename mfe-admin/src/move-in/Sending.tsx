import type { MoveIn } from '@balcao/contract'
import { formatFileSize } from '@balcao/contract/messages/message-bodies'
import { getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, Field } from '@balcao/ui/parts'
import { FileField } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { type ReactNode, useState } from 'react'
import { Progress } from './Progress.tsx'
import { Undo } from './Undo.tsx'

export interface SendingProps {
  readonly move: MoveIn
  /** What this page sends. */
  readonly sending: { readonly id: number; readonly received: number } | null
  readonly send: (file: File, move: MoveIn) => Promise<void>
  readonly stop: () => void
  readonly again: () => void
}

/** A dump on its way: sent by this page, or stopped and to be gone on with, or sent by somebody else. */
export function Sending({ move, sending, send, stop, again }: SendingProps) {
  const t = useTexts('move-in')
  const { id: userId } = useUser()
  const { name, size, received } = move.dump ?? { name: '', size: 0, received: 0 }
  const isHere = sending?.id === move.id
  const sent = isHere ? sending.received : received
  const [now, all] = [sent, size].map(bytes => formatFileSize(bytes, getLanguage()))
  const progress = { done: sent, total: size, children: t('upload.progress', { done: now ?? '', total: all ?? '' }) }
  if (isHere)
    return (
      <Progress
        title={t('upload.sending', { name })}
        text={t('upload.stay')}
        {...progress}
        actions={<Button onClick={stop}>{t('upload.pause')}</Button>}
      />
    )
  const discard = <Undo move={move} again={again} />
  if (move.userId !== userId)
    return (
      <Progress title={t('upload.sending', { name })} text={t('upload.colleague')} {...progress} actions={discard} />
    )
  return (
    <>
      <Progress title={t('upload.stopped', { name })} text={t('upload.again')} {...progress} />
      <Continue move={move} send={send} discard={discard} />
    </>
  )
}

/** Only the same file goes on where it stopped. */
function Continue({ move, send, discard }: Pick<SendingProps, 'move' | 'send'> & { readonly discard: ReactNode }) {
  const t = useTexts('move-in')
  const [file, setFile] = useState<File | null>(null)
  const { name = '', size = 0 } = move.dump ?? {}
  const isOther = file !== null && (file.name !== name || file.size !== size)
  const other = t('upload.other', { name, size: formatFileSize(size, getLanguage()) })
  return (
    <>
      <Field label={t('begin.file')} error={isOther ? other : null}>
        <FileField value={file} onChange={setFile} />
      </Field>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button kind="primary" disabled={file === null || isOther} onClick={() => file && void send(file, move)}>
          {t('upload.goOn')}
        </Button>
        {discard}
      </div>
    </>
  )
}
