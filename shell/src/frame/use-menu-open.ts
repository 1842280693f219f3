import { useNarrowerThan } from '@balcao/ui/parts'
import { useState } from 'react'

const STORED = 'balcao.menu'

/** Rail or drawer: the drawer with words on administration pages, else the rail, until the person chooses (look §5). */
export function useMenuOpen(administration: boolean) {
  const narrow = useNarrowerThan('narrow')
  const medium = useNarrowerThan('wide')
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORED))
  const open = !narrow && (chosen === null ? administration && !medium : chosen === 'open')

  function toggle() {
    const next = open ? 'closed' : 'open'
    localStorage.setItem(STORED, next)
    setChosen(next)
  }

  return { open, toggle, possible: !narrow }
}

export type MenuOpen = ReturnType<typeof useMenuOpen>
