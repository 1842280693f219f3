import { Dropdown } from 'primereact/dropdown'
import type { Option, SelectProps } from '../Select.tsx'
import { useListProps, type WithIds } from './list-props.tsx'
import { OptionLabel } from './OptionLabel.tsx'

export default function PrimeSelect(props: SelectProps<string | number> & WithIds) {
  const { value, onChange, clearable } = props
  const list = useListProps(props)
  return (
    <Dropdown
      {...list}
      value={value}
      filterInputAutoFocus
      showClear={clearable === true && value !== null}
      valueTemplate={(option: Option<string | number> | null) =>
        option ? <OptionLabel option={option} /> : list.placeholder
      }
      onChange={event => onChange(event.value ?? null)}
    />
  )
}
