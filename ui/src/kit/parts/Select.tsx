import { Suspense } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { joinClasses } from './classes.ts'
import { useFieldIds } from './Field.tsx'
import { defineLazyPart } from './lazy-part.tsx'

// PrimeReact's lists with their theme weigh 60 KiB; they arrive with the first screen that shows one, not with the page.
const PrimeSelect = defineLazyPart(() => import(/* webpackChunkName: "lazy-select" */ './prime/PrimeSelect.tsx'))
const PrimeMultiSelect = defineLazyPart(
  () => import(/* webpackChunkName: "lazy-select" */ './prime/PrimeMultiSelect.tsx'),
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
  const chosen = props.options.find(option => option.value === props.value)?.label
  return (
    <Suspense fallback={<Resting className={props.className} text={chosen ?? props.placeholder} />}>
      <PrimeSelect
        {...props}
        ids={ids}
        onChange={value => props.onChange(props.options.find(option => option.value === value)?.value ?? null)}
      />
    </Suspense>
  )
}

/**
 * Any number of several, shown as chips.
 *
 * @example <Field label={t('queues')}><MultiSelect options={queues} value={ids} onChange={setIds} /></Field>
 */
export function MultiSelect<V extends string | number>(props: MultiSelectProps<V>) {
  const t = useTexts('ui')
  const ids = useFieldIds(props.id)
  const text = props.value.length > 0 ? t('chosen', { count: props.value.length }) : props.placeholder
  return (
    <Suspense fallback={<Resting className={props.className} text={text} />}>
      <PrimeMultiSelect
        {...props}
        ids={ids}
        onChange={values => {
          const chosen = new Set<string | number>(values)
          props.onChange(props.options.flatMap(option => (chosen.has(option.value) ? [option.value] : [])))
        }}
      />
    </Suspense>
  )
}

/** Holds the place, with the same measures, while the list's code is on its way. */
function Resting({ text, className }: { readonly text: string | undefined; readonly className: string | undefined }) {
  return (
    <span className={joinClasses('b-input is-resting', className)} aria-busy="true">
      {text ?? ' '}
    </span>
  )
}
