import { Dropdown } from 'primereact/dropdown'
import { useRef } from 'react'
import type { Option, SelectProps } from '../Select.tsx'
import { useLeaveByTab } from './leave-by-tab.ts'
import { useListProps, type WithIds } from './list-props.tsx'
import { OptionLabel } from './OptionLabel.tsx'

export default function PrimeSelect(props: SelectProps<string | number> & WithIds) {
  const { value, onChange, clearable } = props
  const list = useListProps(props)
  const own = useRef<Dropdown>(null)
  useLeaveByTab(own)
  return (
    <Dropdown
      {...list}
      ref={own}
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
