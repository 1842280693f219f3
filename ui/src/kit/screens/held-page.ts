import { useEffect } from 'react'

/** While something is not saved, the browser asks before the page is loaded anew or closed. */
export function useHeldPage(isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isUnsaved])
}
