import { type RefObject, useEffect, useState } from 'react'

/** Below this many pixels from the top a group counts as the one that is read. */
const READ_FROM = 120

/** The group that stands at the top of the page, and how to go to another. `groups`: changes with what is there. */
export function useShownGroup(page: RefObject<HTMLElement | null>, groups: string) {
  const [current, setCurrent] = useState(groups.split(',')[0] ?? '')
  useEffect(() => {
    const box = page.current
    if (!box) return
    const look = () => {
      const top = box.getBoundingClientRect().top + READ_FROM
      const all = [...box.querySelectorAll<HTMLElement>('[data-group]')]
      const isEnd = box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2
      const read = isEnd ? all.at(-1) : (all.findLast(each => each.getBoundingClientRect().top <= top) ?? all[0])
      setCurrent(read?.dataset.group ?? groups.split(',')[0] ?? '')
    }
    look()
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [page, groups])
  function goTo(id: string) {
    const group = page.current?.querySelector<HTMLElement>(`[data-group="${id}"]`)
    group?.scrollIntoView({ block: 'start' })
    setCurrent(id)
  }
  return [current, goTo] as const
}
