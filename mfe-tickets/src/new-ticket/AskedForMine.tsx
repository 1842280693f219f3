// A colleague asks for a conversation of mine: told at once, with the way to hand it over.
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { useEffect } from 'react'
import { getStores } from '../desk/stores.ts'
import { useOpenTicket } from '../desk/use-ticket-context.ts'
import { view } from '../desk/view.ts'
import { server } from '../server.ts'

/** A request one only hears of later, after being away, is no news any more; its line stands in the conversation. */
const FRESH_MS = 10 * 60_000
const SHOWN_MS = 30_000

export function AskedForMine() {
  const t = useTexts('tickets')
  const open = useOpenTicket()
  useEffect(
    () =>
      live.on('ticketAsked', ({ ticketId, user, contactName, at }) => {
        if (Date.now() - Date.parse(at) > FRESH_MS) return
        toast.info(t('asked.title', { name: user.name }), {
          key: `asked-${ticketId}-${user.id}`,
          detail: contactName || t('noName'),
          shownMs: SHOWN_MS,
          action: {
            label: t('action.transfer'),
            perform: () => void reportErrors(() => transferToUser(ticketId, user.id, open)),
          },
        })
      }),
    [t, open],
  )

  return null
}

async function transferToUser(ticketId: number, userId: number, open: (id: number) => void) {
  await getStores().tickets.fetch(() => server.ticket(ticketId))
  open(ticketId)
  view.dialog = { kind: 'transfer', ticketId, userId }
}
