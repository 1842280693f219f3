import { useTexts } from '@balcao/ui/i18n'
import { Button, Icon, IconButton } from '@balcao/ui/parts'
import { Paperclip, TriangleAlert, Upload, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { ACCEPT } from './form.ts'

interface MediaFieldProps {
  /** Name of the chosen or kept file; null without one. */
  readonly name: string | null
  readonly problem: string | null
  readonly onChoose: (file: File) => void
  readonly onDrop: () => void
}

/** One optional file of the allowed types, chosen or dropped on the dialog. */
export function MediaField({ name, problem, onChoose, onDrop }: MediaFieldProps) {
  const t = useTexts('automation')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <div className="b-field">
      <span className="b-label" id={id}>
        {t('form.media')}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPT}
        aria-labelledby={id}
        data-media=""
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) onChoose(file)
          event.target.value = ''
        }}
      />
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Button
          icon={Upload}
          aria-describedby={`${id}-hint ${id}-problem`}
          aria-invalid={problem ? true : undefined}
          onClick={() => input.current?.click()}
        >
          {t(name ? 'form.change' : 'form.choose')}
        </Button>
        {name ? (
          <span className="flex min-w-0 items-center gap-1.5 text-cell">
            <Icon of={Paperclip} size={16} />
            <bdi className="min-w-0 break-all">{name}</bdi>
            <IconButton icon={X} size="small" label={t('form.drop')} onClick={onDrop} />
          </span>
        ) : (
          <span className="text-small text-muted">{t('form.none')}</span>
        )}
      </div>
      {problem && (
        <p id={`${id}-problem`} className="b-field-error" role="alert">
          <Icon of={TriangleAlert} size={14} />
          {problem}
        </p>
      )}
      <p className="b-hint" id={`${id}-hint`}>
        {t('form.mediaHint')}
      </p>
    </div>
  )
}
