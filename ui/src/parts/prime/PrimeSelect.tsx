import 'primereact/resources/themes/lara-light-blue/theme.css'
import { Dropdown } from 'primereact/dropdown'
import { useTexts } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import type { useFieldIds } from '../Field.tsx'
import type { Option, SelectProps } from '../Select.tsx'
import { accessible } from './accessible.ts'
import { OptionLabel } from './OptionLabel.tsx'

interface Props extends SelectProps<string | number> {
  readonly ids: ReturnType<typeof useFieldIds>
}

export default function PrimeSelect({
  options,
  value,
  onChange,
  placeholder,
  filter,
  disabled,
  className,
  label,
  clearable,
  ids,
}: Props) {
  const t = useTexts('ui')
  return (
    <Dropdown
      inputId={ids.id}
      pt={accessible}
      aria-describedby={ids['aria-describedby']}
      aria-label={label}
      invalid={ids['aria-invalid'] === true}
      className={classes('b-select', className)}
      value={value}
      options={[...options]}
      optionLabel="label"
      optionValue="value"
      optionDisabled="disabled"
      placeholder={placeholder ?? t('choose')}
      filter={filter ?? options.length >= 8}
      filterInputAutoFocus
      showClear={clearable === true && value !== null}
      disabled={disabled}
      emptyMessage={t('nothingFound')}
      emptyFilterMessage={t('nothingFound')}
      itemTemplate={(option: Option<string | number>) => <OptionLabel option={option} />}
      valueTemplate={(option: Option<string | number> | null) =>
        option ? <OptionLabel option={option} /> : (placeholder ?? t('choose'))
      }
      onChange={event => onChange(event.value ?? null)}
    />
  )
}
