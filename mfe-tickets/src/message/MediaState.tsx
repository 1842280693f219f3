// A file that is still being fetched or sent, or that could not be fetched: what it is, and the one thing to do about it.
import type { Message } from '@balcao/contract'
import { formatFileSize } from '@balcao/contract/messages/message-bodies'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { Download, FileX, Image, Upload } from 'lucide-react'
import { getFileType, isPicture } from './file-type.ts'
import { computeMediaBox } from './media-box.ts'

/** A file that was refused is refused again: nobody is offered to fetch it. */
const REFUSED = 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED'

export function MediaPending({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const picture = isPicture(message)
  const size = message.media?.size
  const leaves = message.id < 0
  const coming = size ? t('file.coming', { size: formatFileSize(size) }) : t('file.comingSoon')
  return (
    <div
      className="m-file-state"
      style={picture ? computeMediaBox(message.media?.width, message.media?.height) : undefined}
      role="status"
    >
      <Icon of={leaves ? Upload : Download} size={16} />
      <span>{leaves ? message.media?.name : coming}</span>
    </div>
  )
}

export function MediaFailed({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const refused = message.media?.error === REFUSED
  const again = () => during(() => api('POST /messages/download/:id', { params: { id: message.id } }))
  return (
    <div className="m-file-state is-failed">
      <Icon of={getFileType(message) === 'image' ? Image : FileX} size={16} />
      <span>{refused ? t('file.denied') : t(`file.failed.${getFileType(message)}`)}</span>
      {!refused && (
        <button type="button" className="b-link" disabled={busy} onClick={again}>
          {t('file.fetch')}
        </button>
      )}
    </div>
  )
}
