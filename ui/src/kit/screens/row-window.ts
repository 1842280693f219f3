import { type RefObject, useLayoutEffect, useState } from 'react'

/** Past so many, only the rows near the screen are drawn. */
const MANY = 200
const SPARE = 20

/** Which rows of one height are near the screen: `from` inclusive, `to` exclusive. `box` holds them and lies in a page that scrolls. */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number, height: number) {
  const [range, setRange] = useState({ from: 0, to: MANY })
  const isMany = count > MANY
  useLayoutEffect(() => {
    const page = box.current?.closest('.b-page')
    if (!isMany || !page) return
    function measure() {
      if (!page || !box.current) return
      const above = page.getBoundingClientRect().top - box.current.getBoundingClientRect().top
      // In steps, so that not every row that passes draws the table again.
      const first = Math.max(0, Math.floor(above / height / SPARE) * SPARE - SPARE)
      const to = first + Math.ceil(page.clientHeight / height / SPARE) * SPARE + 3 * SPARE
      setRange(old => (old.from === first && old.to === to ? old : { from: first, to }))
    }
    measure()
    page.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      page.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [box, isMany, height])
  return isMany ? { from: Math.min(range.from, count), to: Math.min(range.to, count) } : { from: 0, to: count }
}
