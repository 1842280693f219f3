import 'primereact/resources/themes/lara-light-blue/theme.css'
import { MultiSelect } from 'primereact/multiselect'
import { useTexts } from '../../i18n/index.ts'
import { Chip } from '../Chip.tsx'
import { classes } from '../classes.ts'
import type { useFieldIds } from '../Field.tsx'
import type { MultiSelectProps, Option } from '../Select.tsx'
import { accessible } from './accessible.ts'
import { OptionLabel } from './OptionLabel.tsx'

interface Props extends MultiSelectProps<string | number> {
  readonly ids: ReturnType<typeof useFieldIds>
}

export default function PrimeMultiSelect({
  options,
  value,
  onChange,
  placeholder,
  filter,
  disabled,
  className,
  label,
  ids,
}: Props) {
  const t = useTexts('ui')
  return (
    <MultiSelect
      inputId={ids.id}
      pt={accessible}
      aria-describedby={ids['aria-describedby']}
      aria-label={label}
      invalid={ids['aria-invalid'] === true}
      className={classes('b-select', className)}
      value={[...value]}
      options={[...options]}
      optionLabel="label"
      optionValue="value"
      optionDisabled="disabled"
      placeholder={placeholder ?? t('choose')}
      filter={filter ?? options.length >= 8}
      showSelectAll={false}
      disabled={disabled}
      emptyMessage={t('nothingFound')}
      emptyFilterMessage={t('nothingFound')}
      itemTemplate={(option: Option<string | number>) => <OptionLabel option={option} />}
      selectedItemTemplate={(one: string | number | null | undefined) => {
        const option = options.find(candidate => candidate.value === one)
        if (!option) return value.length === 0 ? (placeholder ?? t('choose')) : null
        return <Chip color={option.color}>{option.label}</Chip>
      }}
      onChange={event => onChange(event.value)}
    />
  )
}
