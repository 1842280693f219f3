import { Button, IconButton } from '@balcao/ui/parts'
import { FileText, Paperclip, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useFormTexts } from './texts.ts'

interface FileFieldProps {
  /** Name of the file there is. */
  readonly name: string | null
  readonly accept: readonly string[]
  readonly error: string | null
  readonly onChoose: (file: File) => void
  readonly onRemove: () => void
}

/** One file beside the message; the server looks at what is in it. */
export function FileField({ name, accept, error, onChoose, onRemove }: FileFieldProps) {
  const t = useFormTexts()
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <div className="h-file">
      {name === null ? (
        <>
          <Button icon={Paperclip} onClick={() => chooser.current?.click()}>
            {t('schedule.file')}
          </Button>
          <span className="h-quiet">{t('schedule.fileTypes')}</span>
        </>
      ) : (
        <>
          <FileText size={20} strokeWidth={1.6} aria-hidden="true" />
          <span className="b-file-name">{name}</span>
          <IconButton icon={Trash2} label={t('schedule.fileRemove', { name })} onClick={onRemove} />
        </>
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t('schedule.file')}
        accept={accept.join(',')}
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) onChoose(file)
          event.target.value = ''
        }}
      />
      {error && (
        <p className="h-wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
