import type { Connection } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Button, IconButton, Menu, type MenuItem } from '@balcao/ui/parts'
import { EllipsisVertical } from 'lucide-react'
import { useState } from 'react'
import { actionOf, type ConnectionAction, carryOut } from '../actions/index.ts'
import type { Desk } from './desk.ts'
import { menuFor, offersFor } from './offers.ts'

interface OffersProps {
  readonly connection: Connection
  readonly desk: Desk
  /** In a table: one button, the others behind the dots. */
  readonly dense?: boolean
}

/** The buttons of a connection and its three dots: what can be done to it now, and nothing else. */
export function Offers({ connection, desk, dense }: OffersProps) {
  const t = useTexts('admin')
  const [busy, setBusy] = useState<string | null>(null)

  async function perform(action: ConnectionAction) {
    if (busy) return
    setBusy(action.id)
    await carryOut(action, connection, desk)
    setBusy(null)
  }

  const offers = offersFor(connection)
  const shown = dense ? offers.slice(0, 1) : offers
  const behind = offers.slice(shown.length).filter(offer => offer !== 'connecting')
  const items: (MenuItem | 'line')[] = [...behind, ...menuFor(connection)].flatMap(offer => {
    const action = actionOf(offer, connection)
    const item = {
      id: action.id,
      label: t(action.labelKey),
      icon: action.icon,
      danger: action.danger,
      onChoose: () => void perform(action),
    }
    return offer === 'delete' ? ['line' as const, item] : [item]
  })
  return (
    <>
      {shown.map(offer => {
        if (offer === 'connecting')
          return (
            <Button
              key={offer}
              size="small"
              disabled
              aria-label={t('offer.of', names(t('offer.connecting'), connection))}
            >
              {t('offer.connecting')}
            </Button>
          )
        const action = actionOf(offer, connection)
        const label = t(action.labelKey)
        return (
          <Button
            key={offer}
            size="small"
            busy={busy === action.id}
            aria-label={t('offer.of', names(label, connection))}
            data-offer={action.id}
            onClick={() => void perform(action)}
          >
            {label}
          </Button>
        )
      })}
      <Menu
        label={t('card.more', { name: connection.name })}
        items={items}
        button={props => (
          <IconButton {...props} icon={EllipsisVertical} label={t('card.more', { name: connection.name })} />
        )}
      />
    </>
  )
}

function names(action: string, connection: Connection) {
  return { action, name: connection.name }
}
