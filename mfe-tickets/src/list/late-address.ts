// An address may ask for what is late, among those who wait or are served, of all queues or of one: `/tickets?late=pending&queue=3`.
import { useSearchParams } from '@balcao/ui/router'
import { useEffect, useEffectEvent } from 'react'

type LateTab = 'pending' | 'assigned'

/** What the address asks for is done once; the address is then the desk's own again. */
export function useLateAddress(show: (tab: LateTab, queueId: number) => void) {
  const [params, setParams] = useSearchParams()
  const late = params.get('late')
  const begin = useEffectEvent(show)
  useEffect(() => {
    if (late === null) return
    begin(late === 'pending' ? late : 'assigned', Number(params.get('queue')))
    setParams({}, { replace: true })
  }, [late, params, setParams])
}
