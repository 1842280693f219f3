import { remember } from '@balcao/ui/browser'
import { useNarrowerThan, WIDTHS } from '@balcao/ui/parts'
import { toPersonalKey } from '@balcao/ui/session'
import { useState } from 'react'

const STORED = 'balcao.menu'

/** Rail or drawer, as the person chose, the rail before that: the same on every page, so that no page moves when it is opened. */
export function useMenuOpen() {
  const narrow = useNarrowerThan('narrow')
  const [chosen, setChosen] = useState(() => localStorage.getItem(toPersonalKey(STORED)))
  const open = !narrow && chosen === 'open'

  function toggle() {
    const next = open ? 'closed' : 'open'
    remember(toPersonalKey(STORED), next)
    setChosen(next)
  }

  return { open, toggle, possible: !narrow }
}

/** Who begins with an empty company reads the menu's words until they close it. */
export function openMenuAtFirst() {
  const key = toPersonalKey(STORED)
  if (innerWidth >= WIDTHS.wide && localStorage.getItem(key) === null) remember(key, 'open')
}

export type MenuOpen = ReturnType<typeof useMenuOpen>
