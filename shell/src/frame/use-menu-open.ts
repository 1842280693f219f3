import { useNarrowerThan, WIDTHS } from '@balcao/ui/parts'
import { useState } from 'react'

const STORED = 'balcao.menu'

/** Rail or drawer, as the person chose, the rail before that: the same on every page, so that no page moves when it is opened. */
export function useMenuOpen() {
  const narrow = useNarrowerThan('narrow')
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORED))
  const open = !narrow && chosen === 'open'

  function toggle() {
    const next = open ? 'closed' : 'open'
    localStorage.setItem(STORED, next)
    setChosen(next)
  }

  return { open, toggle, possible: !narrow }
}

/** Who begins with an empty company reads the menu's words until they close it. */
export function openMenuAtFirst() {
  if (innerWidth >= WIDTHS.wide && localStorage.getItem(STORED) === null) localStorage.setItem(STORED, 'open')
}

export type MenuOpen = ReturnType<typeof useMenuOpen>
