import { Dropdown } from 'primereact/dropdown'
import { type KeyboardEvent, useRef } from 'react'
import type { Option, SelectProps } from '../Select.tsx'
import { useLeaveByTab } from './leave-by-tab.ts'
import { keepComposing, useListProps, type WithIds } from './list-props.tsx'
import { OptionLabel } from './OptionLabel.tsx'

export default function PrimeSelect(props: SelectProps<string | number> & WithIds) {
  const { value, onChange, clearable } = props
  const list = useListProps(props)
  const own = useRef<Dropdown>(null)
  useLeaveByTab(own)
  const typed = useRef('')

  /** Enter chooses what was typed, never what happens to stand first when nothing is called that. */
  function listen(event: KeyboardEvent) {
    if (keepComposing(event) || event.key === 'Dead') return
    if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
    else if (event.key.length === 1 && event.key !== ' ') typed.current += foldLetters(event.key)
    else if (event.key !== 'Enter') typed.current = ''
    if (event.key !== 'Enter') return
    const word = typed.current
    typed.current = ''
    if (word === '' || props.options.some(option => foldLetters(option.label).includes(word))) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Dropdown
      {...list}
      pt={{ ...list.pt, root: { ...list.pt.root, onKeyDownCapture: listen } }}
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

/** Without accents and capitals, as people type names. */
function foldLetters(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
