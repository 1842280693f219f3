import type { Connection, Queue } from '@balcao/contract'
import { FreshDialog, LogoutDialog, RemoveDialog } from './ConfirmDialogs.tsx'
import type { Desk, Window } from './desk.ts'
import { FormDialog } from './FormDialog.tsx'
import { PairDialog } from './PairDialog.tsx'
import { QrDialog } from './QrDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'

interface WindowsProps {
  readonly open: Window | null
  readonly list: readonly Connection[]
  readonly queues: readonly Queue[]
  readonly desk: Desk
  readonly onClose: () => void
}

/** The one window that is open, always with the newest state of its connection; gone with the connection itself. */
export function Windows({ open, list, queues, desk, onClose }: WindowsProps) {
  if (!open) return null
  if (open.kind === 'add')
    return <FormDialog connection={null} first={list.length === 0} queues={queues} desk={desk} onClose={onClose} />
  const connection = list.find(candidate => candidate.id === open.id)
  if (!connection) return null
  const key = `${open.kind}-${open.id}`
  const props = { connection, desk, onClose }
  switch (open.kind) {
    case 'edit':
      return <FormDialog key={key} {...props} first={false} queues={queues} />
    case 'qr':
      return <QrDialog key={key} {...props} />
    case 'pair':
      return <PairDialog key={key} {...props} />
    case 'remove':
      return <RemoveDialog key={key} {...props} />
    case 'logout':
      return <LogoutDialog key={key} {...props} />
    case 'fresh':
      return <FreshDialog key={key} {...props} />
    case 'webhook':
      return <WebhookDialog key={key} {...props} />
  }
}
