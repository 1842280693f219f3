// Who wants to search from beside a conversation that fills the window is led to the list first: its field then takes the focus.
import { keepPerSession } from '@balcao/ui/session'

const wish = keepPerSession(() => ({ isOpen: false }))

export function wishForSearch() {
  wish().isOpen = true
}

/** Whether there was a wish: it is fulfilled once. */
export function takeSearchWish(): boolean {
  const { isOpen } = wish()
  wish().isOpen = false
  return isOpen
}
