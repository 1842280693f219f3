import { currentLanguage, useTexts } from '@balcao/ui/i18n'
import { Icon, IconButton } from '@balcao/ui/parts'
import { FileText, Music, Video, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fileSize } from '../message/bodies.ts'
import type { Attachment } from './attachments.ts'

const ICONS = { image: FileText, audio: Music, video: Video, application: FileText, sticker: FileText }

interface AttachmentsProps {
  readonly files: readonly Attachment[]
  readonly onRemove: (id: string) => void
}

/** The files that go out with the next message. */
export function Attachments({ files, onRemove }: AttachmentsProps) {
  const t = useTexts('tickets')
  if (files.length === 0) return null
  return (
    <ul className="k-files" aria-label={t('composer.files')}>
      {files.map(attachment => (
        <li key={attachment.id} className="k-file">
          {attachment.kind === 'image' ? <Thumb file={attachment.file} /> : <Icon of={ICONS[attachment.kind]} />}
          <span className="k-file-text">
            <span className="k-file-name">{attachment.file.name}</span>
            <span className="m-quiet">{fileSize(attachment.file.size, currentLanguage())}</span>
          </span>
          <IconButton
            icon={X}
            size="small"
            label={t('composer.removeFile', { name: attachment.file.name })}
            onClick={() => onRemove(attachment.id)}
          />
        </li>
      ))}
    </ul>
  )
}

function Thumb({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url ? <img className="k-thumb" src={url} alt="" width={44} height={44} /> : null
}
