import type { Connection } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Button, IconButton, Menu, type MenuItem, toast } from '@balcao/ui/parts'
import { EllipsisVertical } from 'lucide-react'
import { useState } from 'react'
import { actionOf, type Desk } from './actions.ts'
import { menuFor, offersFor } from './offers.ts'

interface OffersProps {
  readonly connection: Connection
  readonly desk: Desk
  /** In a table: one button, the others behind the dots. */
  readonly dense?: boolean
}

/** The buttons of a connection and its three dots: what can be done to it now, and nothing else. */
export function Offers({ connection, desk, dense }: OffersProps) {
  const t = useTexts('connections')
  const { name } = connection
  const [busy, setBusy] = useState<string | null>(null)

  async function perform({ id, perform }: ReturnType<typeof actionOf>) {
    if (busy) return
    setBusy(id)
    try {
      await perform(connection, desk)
    } catch (error) {
      toast.error(errorText(error))
    }
    setBusy(null)
  }

  const offers = offersFor(connection)
  const shown = dense ? offers.slice(0, 1) : offers
  const behind = offers.slice(shown.length).filter(offer => offer !== 'connecting')
  const items = [...behind, ...menuFor(connection)].flatMap((offer): (MenuItem | 'line')[] => {
    const action = actionOf(offer, connection)
    const { id, icon, danger } = action
    const item = { id, icon, danger, label: t(`offer.${id}`), onChoose: () => void perform(action) }
    return offer === 'delete' ? ['line', item] : [item]
  })
  return (
    <>
      {shown.map(offer => {
        const action = offer === 'connecting' ? null : actionOf(offer, connection)
        const label = t(`offer.${action?.id ?? offer}`)
        return (
          <Button
            key={offer}
            size="small"
            className={dense ? undefined : 'max-sm:order-1 max-sm:flex-1 max-sm:basis-36'}
            disabled={action === null}
            busy={action !== null && busy === action.id}
            aria-label={t('offer.of', { action: label, name })}
            onClick={action ? () => void perform(action) : undefined}
          >
            {label}
          </Button>
        )
      })}
      <Menu
        label={t('card.more', { name })}
        items={items}
        button={props => <IconButton {...props} icon={EllipsisVertical} label={t('card.more', { name })} />}
      />
    </>
  )
}
