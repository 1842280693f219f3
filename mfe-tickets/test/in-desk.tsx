// What the desk puts around each of its parts: a router at an address, and the area of the remote.
import { RemoteArea } from '@balcao/ui/parts'
import { MemoryRouter } from '@balcao/ui/router'
import type { ReactNode } from 'react'

interface InDeskProps {
  readonly address?: string
  readonly children: ReactNode
}

export function InDesk({ address = '/', children }: InDeskProps) {
  return (
    <MemoryRouter initialEntries={[address]}>
      <RemoteArea name="mfe_tickets">{children}</RemoteArea>
    </MemoryRouter>
  )
}
