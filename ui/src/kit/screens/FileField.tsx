import { Button, Icon, IconButton, useFieldIds } from '@balcao/ui/parts'
import { Paperclip, Upload, X } from 'lucide-react'
import { useRef } from 'react'
import { useKitTexts } from './texts.ts'

interface FileFieldProps {
  /** A file chosen now, the name of the one that is kept, or none. */
  readonly value: File | string | null
  readonly onChange: (value: File | null) => void
  /** Endings, without a dot. */
  readonly accept?: readonly string[]
  /** A dialog about the file begins here. */
  readonly isFirst?: boolean
}

/** One file, chosen or dropped on the dialog. Inside of a `Field`. */
export function FileField({ value, onChange, accept, isFirst }: FileFieldProps) {
  const kit = useKitTexts()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const ids = useFieldIds()
  const name = value instanceof File ? value.name : value
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <input
        ref={input}
        type="file"
        hidden
        aria-label={kit('file.choose')}
        accept={accept?.map(ending => `.${ending}`).join(',')}
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) onChange(file)
          event.target.value = ''
        }}
      />
      <Button
        {...ids}
        ref={button}
        icon={Upload}
        data-autofocus={isFirst ? '' : undefined}
        onClick={() => input.current?.click()}
      >
        {kit(name ? 'file.change' : 'file.choose')}
      </Button>
      {name ? (
        <span className="flex min-w-0 items-center gap-1.5 text-cell">
          <Icon of={Paperclip} size={16} />
          <bdi className="min-w-0 break-all">{name}</bdi>
          <IconButton
            icon={X}
            size="small"
            label={kit('file.drop')}
            onClick={() => {
              onChange(null)
              // The button that was pressed goes with the file.
              button.current?.focus()
            }}
          />
        </span>
      ) : (
        <span className="text-small text-muted">{kit('file.none')}</span>
      )}
    </div>
  )
}

/** A file's name beside what it belongs to. */
export function FileLabel({ name }: { readonly name: string }) {
  return (
    <span className="inline-flex max-w-48 flex-none items-center gap-1 text-small text-muted">
      <Icon of={Paperclip} size={14} />
      <bdi className="truncate">{name}</bdi>
    </span>
  )
}

/** Whether a file of this name has one of the endings; the server looks at its content too. */
export function hasEnding(fileName: string, endings: readonly string[]) {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  return ending !== undefined && endings.includes(ending)
}
