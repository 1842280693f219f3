// The files that go out with the next message, in order. The chosen one shows large; the field writes its caption.

import { formatFileSize } from '@balcao/contract/messages/message-bodies'
import { getLanguage, useTexts } from '@balcao/ui/i18n'
import { Icon, IconButton } from '@balcao/ui/parts'
import { ArrowLeft, ArrowRight, FileText, Image, Music, Video, X } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useEffect, useState } from 'react'
import type { Attachment } from './attachments.ts'
import './late.ts'
import { type ComposerSheet, moveFile, placeFile, removeFile } from './sheet.ts'

const ICONS = { image: Image, audio: Music, video: Video, application: FileText, sticker: Image }
const DRAGGED = 'application/x-balcao-attachment'

interface AttachmentsProps {
  readonly sheet: ComposerSheet
  readonly onChange: (sheet: ComposerSheet) => void
}

export default function Attachments({ sheet, onChange }: AttachmentsProps) {
  const t = useTexts('tickets')
  const { files, chosen } = sheet
  const shown = files.find(file => file.id === chosen)
  if (files.length === 0) return null

  function key(event: KeyboardEvent, id: string) {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (event.altKey && step !== 0) onChange(moveFile(sheet, id, step))
    else if (event.key === 'Delete') onChange(removeFile(sheet, id))
    else return
    event.preventDefault()
  }

  function drop(event: DragEvent, at: number) {
    const id = event.dataTransfer.getData(DRAGGED)
    if (id === '') return
    event.preventDefault()
    onChange(placeFile(sheet, id, at))
  }

  return (
    <div className="k-files">
      {shown && <Large attachment={shown} />}
      <ul className="k-file-list" aria-label={t('composer.files')}>
        {files.map((attachment, at) => (
          <li key={attachment.id}>
            <button
              type="button"
              className={attachment.id === chosen ? 'k-tile is-chosen' : 'k-tile'}
              aria-pressed={attachment.id === chosen}
              aria-label={t('composer.file', { at: at + 1, of: files.length, name: attachment.file.name })}
              aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight Delete"
              title={attachment.file.name}
              draggable
              onDragStart={event => event.dataTransfer.setData(DRAGGED, attachment.id)}
              onDragOver={event => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
              onDrop={event => drop(event, at)}
              onClick={() => onChange({ ...sheet, chosen: attachment.id })}
              onKeyDown={event => key(event, attachment.id)}
            >
              {attachment.kind === 'image' ? (
                <Picture attachment={attachment} className="k-thumb" />
              ) : (
                <Icon of={ICONS[attachment.kind]} />
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <div className="k-file-about">
          <span className="b-file-name" dir="auto">
            {shown.file.name}
          </span>
          <span className="k-file-size">{formatFileSize(shown.file.size, getLanguage())}</span>
          <span className="k-space" />
          {files.length > 1 && (
            <>
              <IconButton
                icon={ArrowLeft}
                size="small"
                label={t('composer.fileEarlier', { name: shown.file.name })}
                disabled={shown === files[0]}
                onClick={() => onChange(moveFile(sheet, shown.id, -1))}
              />
              <IconButton
                icon={ArrowRight}
                size="small"
                label={t('composer.fileLater', { name: shown.file.name })}
                disabled={shown === files.at(-1)}
                onClick={() => onChange(moveFile(sheet, shown.id, 1))}
              />
            </>
          )}
          <IconButton
            icon={X}
            size="small"
            label={t('composer.removeFile', { name: shown.file.name })}
            onClick={() => onChange(removeFile(sheet, shown.id))}
          />
        </div>
      )}
    </div>
  )
}

function Large({ attachment }: { readonly attachment: Attachment }) {
  const url = useUrl(attachment.file)
  if (!url) return null
  if (attachment.kind === 'image') return <img className="k-large" src={url} alt="" />
  if (attachment.kind === 'video')
    // biome-ignore lint/a11y/useMediaCaption: a file of the person's own, before it is sent
    return <video className="k-large" src={url} controls preload="metadata" />
  // biome-ignore lint/a11y/useMediaCaption: a file of the person's own, before it is sent
  if (attachment.kind === 'audio') return <audio className="k-large" src={url} controls preload="metadata" />
  return null
}

function Picture({ attachment, className }: { readonly attachment: Attachment; readonly className: string }) {
  const url = useUrl(attachment.file)
  return url ? <img className={className} src={url} alt="" width={44} height={44} draggable={false} /> : null
}

function useUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
