import { useTexts } from '../../i18n/index.ts'
import { joinClasses } from './classes.ts'
import { useFieldIds } from './Field.tsx'
import { defineLatePart } from './late.tsx'

// PrimeReact's lists with their theme weigh 60 KiB; they arrive with the first screen that shows one, not with the page.
const PrimeSelect = defineLatePart(
  () => import(/* webpackChunkName: "lazy-select" */ './prime/PrimeSelect.tsx'),
  'inline',
  RestingSelect,
)
const PrimeMultiSelect = defineLatePart(
  () => import(/* webpackChunkName: "lazy-select" */ './prime/PrimeMultiSelect.tsx'),
  'inline',
  RestingMultiSelect,
)

/** One choice. `color` shows a dot before the name, `note` a quiet word behind it. */
export interface Option<V extends string | number> {
  readonly value: V
  readonly label: string
  readonly color?: string
  readonly note?: string
  readonly disabled?: boolean
}

export interface CommonProps<V extends string | number> {
  readonly options: readonly Option<V>[]
  readonly placeholder?: string
  /** A search field over the list; on by itself from 8 options. */
  readonly filter?: boolean
  readonly disabled?: boolean
  readonly className?: string
  readonly id?: string
  /** The accessible name where there is no `Field` around it. */
  readonly label?: string
}

export interface SelectProps<V extends string | number> extends CommonProps<V> {
  readonly value: V | null
  readonly onChange: (value: V | null) => void
  /** Offers a cross that empties it. */
  readonly clearable?: boolean
}

export interface MultiSelectProps<V extends string | number> extends CommonProps<V> {
  readonly value: readonly V[]
  readonly onChange: (value: V[]) => void
}

/**
 * One of several.
 *
 * @example <Field label={t('queue')}><Select options={queues} value={queueId} onChange={setQueueId} /></Field>
 */
export function Select<V extends string | number>(props: SelectProps<V>) {
  const ids = useFieldIds(props.id)
  return (
    <PrimeSelect
      {...props}
      ids={ids}
      onChange={value => props.onChange(props.options.find(option => option.value === value)?.value ?? null)}
    />
  )
}

/**
 * Any number of several, shown as chips.
 *
 * @example <Field label={t('queues')}><MultiSelect options={queues} value={ids} onChange={setIds} /></Field>
 */
export function MultiSelect<V extends string | number>(props: MultiSelectProps<V>) {
  const ids = useFieldIds(props.id)
  return (
    <PrimeMultiSelect
      {...props}
      ids={ids}
      onChange={values => {
        const chosen = new Set<string | number>(values)
        props.onChange(props.options.flatMap(option => (chosen.has(option.value) ? [option.value] : [])))
      }}
    />
  )
}

function RestingSelect({ options, value, placeholder, className }: SelectProps<string | number>) {
  const chosen = options.find(option => option.value === value)?.label
  return <Resting className={className} text={chosen ?? placeholder} />
}

function RestingMultiSelect({ value, placeholder, className }: MultiSelectProps<string | number>) {
  const t = useTexts('ui')
  const text = value.length > 0 ? t('chosen', { count: value.length }) : placeholder
  return <Resting className={className} text={text} />
}

/** Holds the place, with the same measures, while the list's code is on its way. */
function Resting({ text, className }: { readonly text: string | undefined; readonly className: string | undefined }) {
  return (
    <span className={joinClasses('b-input is-resting', className)} aria-busy="true">
      {text ?? ' '}
    </span>
  )
}
