import { MultiSelect } from 'primereact/multiselect'
import { Chip } from '../Chip.tsx'
import type { MultiSelectProps } from '../Select.tsx'
import { useListProps, type WithIds } from './list-props.tsx'

export default function PrimeMultiSelect(props: MultiSelectProps<string | number> & WithIds) {
  const { options, value, onChange } = props
  const list = useListProps(props)
  return (
    <MultiSelect
      {...list}
      value={[...value]}
      showSelectAll={false}
      // Without a search there would be nothing but a cross of its own.
      {...(list.filter ? {} : { panelHeaderTemplate: () => null })}
      selectedItemTemplate={(one: string | number | null | undefined) => {
        const option = options.find(candidate => candidate.value === one)
        if (!option) return value.length === 0 ? list.placeholder : null
        return <Chip color={option.color}>{option.label}</Chip>
      }}
      onChange={event => onChange(event.value)}
    />
  )
}
