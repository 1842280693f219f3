import type { Connection, Queue } from '@balcao/contract'
import { readField } from '@balcao/contract/kit/read-field'
import { api, isApiError } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { ConfirmDanger, useDialogData } from '@balcao/ui/screens'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { AddConnection } from './AddConnection.tsx'
import { type ConnectionPage, startAfresh, type Window } from './actions.ts'
import { ConnectionForm } from './ConnectionForm.tsx'
import { GreetingForm } from './GreetingForm.tsx'
import { PairDialog } from './PairDialog.tsx'
import { QrDialog } from './QrDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'

interface ConnectionWindowProps {
  readonly open: Window
  readonly list: readonly Connection[]
  readonly queues: readonly Queue[]
  readonly desk: ConnectionPage
  /** The one that was just added, until its second step is shown. */
  readonly added: number | null
  readonly setAdded: (id: number | null) => void
}

/** The one window that is open, always with the newest state of its connection; gone with the connection itself, but for a form. */
export function ConnectionWindow(props: ConnectionWindowProps) {
  const { open, list, desk } = props
  const onClose = () => desk.open(null)
  if (open.kind === 'add')
    return <AddConnection first={list.length === 0} desk={desk} onAdded={props.setAdded} onClose={onClose} />
  return <OneConnection key={open.id} {...props} open={open} onClose={onClose} />
}

interface OneProps extends ConnectionWindowProps {
  readonly open: Exclude<Window, { readonly kind: 'add' }>
  readonly onClose: () => void
}

function OneConnection({ open, list, queues, desk, added, setAdded, onClose }: OneProps) {
  const t = useTexts('connections')
  const found = list.find(candidate => candidate.id === open.id)
  const [known, keep] = useState(found)
  if (found && found !== known) keep(found)
  // What is written in a form does not vanish with its connection.
  const connection = found ?? (open.kind === 'edit' ? known : undefined)
  if (!connection) return null
  const { id, name } = connection
  const props = { connection, desk, onClose }
  const onNext = added === id ? showGreeting : undefined
  function showGreeting() {
    setAdded(null)
    desk.open({ kind: 'greeting', id })
  }
  switch (open.kind) {
    case 'edit':
      return <ConnectionForm {...props} isGone={!found} queues={queues} />
    case 'greeting':
      return <GreetingForm {...props} queues={queues} />
    case 'qr':
      return <QrDialog {...props} onNext={onNext} />
    case 'pair':
      return <PairDialog {...props} onNext={onNext} />
    case 'webhook':
      return <WebhookDialog {...props} onNext={onNext} />
    case 'remove':
      return <Removal {...props} />
    case 'logout':
      return (
        <ConfirmDanger
          title={t('logout.title', { name })}
          text={t('logout.text')}
          action={t('logout.confirm')}
          done={t('disconnected')}
          onConfirm={async () => desk.put(await api('DELETE /whatsappsession/:id', { params: { id } }))}
          onClose={onClose}
        />
      )
    case 'takeUp':
      return (
        <ConfirmDanger
          title={t('takeUp.title')}
          text={t('takeUp.text', { name })}
          action={t('takeUp.confirm')}
          onConfirm={async () =>
            desk.put(await api('POST /whatsappsession/:id', { params: { id }, query: { oldServerIsOff: 'true' } }))
          }
          onClose={onClose}
        />
      )
    case 'fresh':
      return (
        <ConfirmDanger
          title={t('fresh.title', { name })}
          text={t('fresh.text')}
          action={t('fresh.confirm')}
          onConfirm={async () => {
            desk.put(await startAfresh(id))
            desk.open({ kind: 'qr', id })
            return false
          }}
          onClose={onClose}
        />
      )
  }
}

interface RemovalProps {
  readonly connection: Connection
  readonly desk: ConnectionPage
  readonly onClose: () => void
}

/** Asks before it is deleted, and says what would not go out any more. */
function Removal(props: RemovalProps) {
  const { id } = props.connection
  const load = (signal: AbortSignal) => api('GET /whatsapp/:id/schedules', { params: { id }, signal })
  const { last } = useDialogData(id, load, props.onClose)
  return last && <RemovalQuestion {...props} schedules={last.count} />
}

/** Deletes; refused with conversations in service, and then asks whether to close them (decisions: deleting a connection). */
function RemovalQuestion({
  connection: { id, name },
  schedules,
  desk,
  onClose,
}: RemovalProps & { readonly schedules: number }) {
  const t = useTexts('connections')
  const [live, setLive] = useState(0)
  const isLive = live > 0
  async function remove() {
    try {
      await api('DELETE /whatsapp/:id', { params: { id }, query: isLive ? { force: 'true' } : {} })
    } catch (error) {
      if (isLive || !isApiError(error, 'ERR_WAPP_HAS_LIVE_TICKETS')) throw error
      setLive(countTickets(error.details))
      return false
    }
    // Another one may be the default now.
    desk.reload()
    return true
  }
  return (
    <ConfirmDanger
      key={String(isLive)}
      title={t(isLive ? 'remove.liveTitle' : 'remove.title', { name, count: live })}
      text={t(isLive ? 'remove.liveText' : 'remove.text')}
      figures={
        schedules > 0 ? [{ icon: CalendarClock, text: t('remove.schedules', { count: schedules }), danger: true }] : []
      }
      action={t(isLive ? 'remove.force' : 'remove.confirm', { count: live })}
      done={t('deleted')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

/** How many conversations would be closed with it, as the server counts them. */
function countTickets(details: unknown): number {
  const tickets = readField(details, 'tickets')
  return typeof tickets === 'number' ? tickets : 1
}
