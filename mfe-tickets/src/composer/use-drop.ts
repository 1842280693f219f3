import { canDropBelow } from '@balcao/ui/parts'
import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Takes files dropped on the conversation, unless a dialog is over it; true while files are dragged over the page. What is dropped
 * elsewhere, such as on another customer's row, goes to nobody, and the browser does not leave the page for it.
 */
export function useDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const count = (step: number) => (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth + step)
      setOver(depth > 0 && canDropBelow())
    }
    const enter = count(1)
    const leave = count(-1)
    const hover = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const here = event.target instanceof Element && event.target.closest('.c-conversation') !== null
      if (here && canDropBelow()) take([...(event.dataTransfer?.files ?? [])])
    }
    document.addEventListener('dragenter', enter)
    document.addEventListener('dragleave', leave)
    document.addEventListener('dragover', hover)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragenter', enter)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('dragover', hover)
      document.removeEventListener('drop', drop)
    }
  }, [])
  return over
}
