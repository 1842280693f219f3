// A link to the empty form of a page: its address with `#add`.
import { useLocation, useNavigate } from '@balcao/ui/router'
import { useEffect, useEffectEvent } from 'react'

/** Opens the form once the rows are known; the address is then the page's own again. */
export function useAddInAddress(isReady: boolean, onAdd: (() => void) | undefined) {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const open = useEffectEvent(() => {
    void navigate(pathname + search, { replace: true })
    onAdd?.()
  })
  useEffect(() => {
    if (isReady && hash === '#add') open()
  }, [isReady, hash])
}
