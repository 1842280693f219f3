// The field above the lists, whose keys belong to the search while that is shown.
import { isComposing } from '@balcao/ui/actions'
import { useEffect, useEffectEvent } from 'react'

function findField(): HTMLInputElement | null {
  return document.querySelector('.t-search input')
}

export function focusSearchField() {
  findField()?.focus()
}

/** Enter opens the first that is found; Down leads to what is offered first. */
export function useSearchFieldKeys(onEnter: () => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return
    const chip = document.querySelector<HTMLElement>('.f-chips [data-offered], .f-chips button')
    if (event.key === 'Enter') onEnter()
    else if (event.key === 'ArrowDown' && chip) chip.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const field = findField()
    const hear = (event: KeyboardEvent) => press(event)
    field?.addEventListener('keydown', hear)
    return () => field?.removeEventListener('keydown', hear)
  }, [])
}
