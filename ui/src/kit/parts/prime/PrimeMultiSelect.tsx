import { MultiSelect } from 'primereact/multiselect'
import { useLayoutEffect, useRef } from 'react'
import { Chip } from '../Chip.tsx'
import type { MultiSelectProps } from '../Select.tsx'
import { useLeaveByTab } from './leave-by-tab.ts'
import { useListProps, type WithIds } from './list-props.tsx'

export default function PrimeMultiSelect(props: MultiSelectProps<string | number> & WithIds) {
  const { options, value, onChange } = props
  const list = useListProps(props)
  const own = useRef<MultiSelect>(null)
  // It takes the nothing it begins with for a place: the first arrow would pass over the first choice, and a choice by itself could not
  // be reached. What was shut knows that it stands nowhere.
  useLayoutEffect(() => own.current?.hide(), [])
  useLeaveByTab(own)
  // The choice itself says whether it is taken: its box is a picture of that, and no field beside it.
  return (
    <MultiSelect
      {...list}
      pt={{ ...list.pt, checkbox: { input: { type: 'hidden' } }, filterInput: { root: list.pt.filterInput } }}
      ref={own}
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
