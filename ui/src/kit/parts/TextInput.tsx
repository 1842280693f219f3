import { Eye, EyeOff, Search, X } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useState } from 'react'
import { isComposing } from '../../actions/composing.ts'
import { useTexts } from '../../i18n/index.ts'
import { IconButton } from './Button.tsx'
import { joinClasses } from './classes.ts'
import { useFieldIds } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'size' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** 44 high, as at sign-in. */
  readonly large?: boolean
  readonly before?: ReactNode
  readonly after?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** One line of text. Inside a `Field` it has its label. `<TextInput value={name} onChange={setName} maxLength={80} />` */
export function TextInput({ value, onChange, large, before, after, className, id, ref, ...rest }: TextInputProps) {
  const ids = useFieldIds(id)
  return (
    <span
      className={joinClasses(
        'b-input',
        large && 'is-large',
        ids['aria-invalid'] && 'is-wrong',
        rest.disabled && 'is-off',
        className,
      )}
    >
      {before}
      <input {...ids} {...rest} ref={ref} value={value} onChange={event => onChange(event.target.value)} />
      {after}
    </span>
  )
}

/** A password that can be shown; `open` shows it from the beginning: one that was drawn has to be read. */
export function PasswordInput({ open = false, ...props }: TextInputProps & { readonly open?: boolean }) {
  const t = useTexts('ui')
  const [shown, setShown] = useState(open)
  return (
    <TextInput
      autoComplete="current-password"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      after={
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={t(shown ? 'hidePassword' : 'showPassword')}
          pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}

interface SearchInputProps extends Omit<TextInputProps, 'before' | 'after' | 'type'> {
  /** The accessible name. */
  readonly label: string
  /** Shown as a key chip while the field is empty. */
  readonly shortcut?: string
}

/** A search field with a clear button; Escape clears it, and leaves the one of the page when it is clear. `<SearchInput label={t('search')} value={q} onChange={setQ} shortcut="/" />` */
export function SearchInput({ label, shortcut, value, onChange, placeholder, ...rest }: SearchInputProps) {
  const t = useTexts('ui')
  return (
    <TextInput
      {...rest}
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={value}
      onChange={onChange}
      onKeyDown={event => {
        rest.onKeyDown?.(event)
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
        // In a dialog it closes that.
        if (value === '' && shortcut) event.currentTarget.blur()
        if (value === '') return
        event.preventDefault()
        onChange('')
      }}
      className={joinClasses('is-search', rest.className)}
      before={<Icon of={Search} size={16} />}
      after={
        value === '' ? (
          shortcut && <Kbd>{shortcut}</Kbd>
        ) : (
          <IconButton icon={X} size="small" label={t('clear')} onClick={() => onChange('')} />
        )
      }
    />
  )
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Grows with its text up to this many rows. */
  readonly maxRows?: number
  readonly ref?: Ref<HTMLTextAreaElement>
}

/** Several lines; grows with what is written. */
export function TextArea({ value, onChange, maxRows = 8, rows, className, id, style, ...rest }: TextAreaProps) {
  const ids = useFieldIds(id)
  return (
    <textarea
      {...ids}
      {...rest}
      rows={rows ?? 2}
      value={value}
      onChange={event => onChange(event.target.value)}
      className={joinClasses('b-textarea', ids['aria-invalid'] && 'is-wrong', className)}
      // The field grows with its text, so its rows are a least height.
      style={{
        minHeight: rows && `calc(${rows} * 1.25rem + 18px)`,
        maxHeight: `calc(${maxRows} * 1.25rem + 18px)`,
        ...style,
      }}
    />
  )
}
