// Which panel stands beside the conversation now. The program of the setting uriIframe stays where it was left, on wide screens.

import type { Ticket } from '@balcao/contract'
import { remember } from '@balcao/ui/browser'
import { useNarrowerThan } from '@balcao/ui/parts'
import { toPersonalKey, useSetting } from '@balcao/ui/session'
import { useEffect } from 'react'
import { type Panel, view } from './view.ts'

const STORED = 'balcao.integration'

/** Keeps whether the person wants the program beside conversations. */
export function rememberIntegration(open: boolean) {
  remember(toPersonalKey(STORED), open ? 'open' : 'closed')
}

/** Whether the program belongs beside conversations now; over one it would hide what the person came for. */
export function useIntegrationKept(): boolean {
  const offered = useSetting('uriIframe').trim() !== ''
  const over = useNarrowerThan('wide')
  return offered && !over && localStorage.getItem(toPersonalKey(STORED)) === 'open'
}

/** The panel to show: the one opened, as far as it fits the ticket. */
export function usePanel(opened: Panel | null, ticket: Ticket | undefined): Panel | null {
  const offered = useSetting('uriIframe').trim() !== ''
  const hasIntegration = useIntegrationKept()
  useEffect(() => {
    if (hasIntegration && view.drawer === null) view.drawer = 'integration'
  }, [hasIntegration])
  if (opened === 'integration' && !offered) return null
  return opened === 'group' && !ticket?.isGroup ? 'contact' : opened
}
