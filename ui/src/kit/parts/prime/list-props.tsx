// What both lists of PrimeReact are given: names for assistive technology, the choices and the texts.
import 'primereact/resources/themes/lara-light-blue/theme.css'
import type { FocusEvent, KeyboardEvent } from 'react'
import { isComposing } from '../../../actions/composing.ts'
import { useTexts } from '../../../i18n/index.ts'
import { joinClasses } from '../classes.ts'
import type { useFieldIds } from '../Field.tsx'
import type { CommonProps, Option } from '../Select.tsx'
import { accessible } from './accessible.ts'
import { OptionLabel } from './OptionLabel.tsx'

export interface WithIds {
  readonly ids: ReturnType<typeof useFieldIds>
}

export function useListProps(props: CommonProps<string | number> & WithIds) {
  const { options, placeholder, filter, disabled, className, label, ids } = props
  const t = useTexts('ui')
  return {
    inputId: ids.id,
    pt: {
      ...accessible,
      root: { ...accessible.root, onFocus: showWhole, onKeyDownCapture: keepComposing },
      filterInput: { 'aria-label': t('search') },
    },
    'aria-describedby': ids['aria-describedby'],
    'aria-label': label,
    'aria-invalid': ids['aria-invalid'],
    invalid: ids['aria-invalid'] === true,
    className: joinClasses('b-select', className),
    options: [...options],
    optionLabel: 'label',
    optionValue: 'value',
    optionDisabled: 'disabled',
    placeholder: placeholder ?? t('choose'),
    filter: filter ?? options.length >= 8,
    disabled,
    emptyMessage: t('nothingFound'),
    emptyFilterMessage: t('nothingFound'),
    itemTemplate: (option: Option<string | number>) => <OptionLabel option={option} />,
  }
}

/** A key of an input method chooses nothing and shuts no list. Returns whether it is one. */
export function keepComposing(event: KeyboardEvent): boolean {
  const isOne = isComposing(event.nativeEvent)
  if (isOne) event.stopPropagation()
  return isOne
}

/** The field that has the focus is a hidden one at its beginning: the browser scrolls to that alone. */
function showWhole({ currentTarget }: FocusEvent<HTMLElement>) {
  currentTarget.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
}
