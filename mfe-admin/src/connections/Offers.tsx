import type { Connection } from '@balcao/contract'
import { listConnectionOffers, listMenuOffers } from '@balcao/contract/connections/connection-actions'
import { useBusy } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, IconButton, Menu, type MenuItem, toast } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { EllipsisVertical, History } from 'lucide-react'
import { useState } from 'react'
import { type ConnectionAction, type ConnectionPage, getConnectionAction } from './actions.ts'

interface OffersProps {
  readonly connection: Connection
  readonly desk: ConnectionPage
  /** In a table: one button, the others behind the dots. */
  readonly dense?: boolean
}

interface OfferButtonProps {
  readonly action: ConnectionAction
  readonly connection: Connection
  readonly desk: ConnectionPage
  readonly kind?: 'primary'
}

/** One thing that can be done, as a button of its own: what the doctor advises. */
export function OfferButton({ action, connection, desk, kind }: OfferButtonProps) {
  const t = useTexts('connections')
  const [busy, during] = useBusy()
  const label = t(`offer.${action.id}`)
  return (
    <Button
      {...(kind ? { kind, icon: action.icon } : { size: 'small' as const })}
      busy={busy}
      aria-label={t('offer.of', { action: label, name: connection.name })}
      onClick={() => during(async () => void (await action.perform(connection, desk)))}
    >
      {label}
    </Button>
  )
}

/** The buttons of a connection and its three dots: what can be done to it now, and nothing else. */
export function Offers({ connection, desk, dense }: OffersProps) {
  const t = useTexts('connections')
  const navigate = useNavigate()
  const { name } = connection
  const [busy, setBusy] = useState<string | null>(null)

  async function perform({ id, perform }: ReturnType<typeof getConnectionAction>) {
    if (busy) return
    setBusy(id)
    try {
      await perform(connection, desk)
    } catch (error) {
      toast.error(describeError(error))
    }
    setBusy(null)
  }

  const history: MenuItem = {
    ...{ id: 'history', icon: History, label: t('card.history') },
    onChoose: () => void navigate(`/log?entity=connection&entityId=${connection.id}`),
  }
  const offers = listConnectionOffers(connection)
  const shown = dense ? offers.slice(0, 1) : offers
  const behind = offers.slice(shown.length)
  const items = [...behind, ...listMenuOffers(connection)].flatMap((offer): (MenuItem | 'line')[] => {
    if (offer === 'connecting') return []
    const action = getConnectionAction(offer)
    const { id, icon, danger } = action
    const item = { id, icon, danger, label: t(`offer.${id}`), onChoose: () => void perform(action) }
    return offer === 'delete' ? [history, 'line', item] : [item]
  })
  return (
    <>
      {shown.map(offer => {
        const action = offer === 'connecting' ? null : getConnectionAction(offer)
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
