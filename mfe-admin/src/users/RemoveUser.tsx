import type { Queue, ResponseBody, User } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { ConfirmDanger, type RowDialogProps, useDialogData } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { useEffect } from 'react'
import { useFateLines } from './Fates.tsx'
import { toFields } from './form.ts'
import { decideTicketFates } from './leaving.ts'
import type { TeamMember } from './list.ts'

interface RemovalData {
  readonly details: ResponseBody<'GET /users/:id'>
  readonly people: readonly User[]
  readonly queues: readonly Queue[]
}

/** Asks before somebody is deleted: what becomes of the live tickets (decisions §3). Nobody deletes himself. */
export function RemoveUser(props: RowDialogProps<TeamMember>) {
  const t = useTexts('users')
  const isOwn = useUser().id === props.row.id
  const { onClose } = props
  useEffect(() => {
    if (!isOwn) return
    toast.warning(t('notOneself'))
    onClose()
  }, [isOwn, onClose, t])
  const known = useDialogData<RemovalData>(
    isOwn ? null : props.row.id,
    signal => load(props.row.id, signal),
    onClose,
  ).last
  return known && <Question {...props} {...known} />
}

function Question({ row, rows, onClose, details, people, queues }: RowDialogProps<TeamMember> & RemovalData) {
  const t = useTexts('users')
  const linesOf = useFateLines(queues)
  const { name } = row
  return (
    <ConfirmDanger
      title={t('confirm.title', { name })}
      text={t('confirm.text')}
      figures={linesOf(
        decideTicketFates(details.liveTickets, { how: 'deleted', rows: toFields(row).substitutes, people }),
      )}
      action={t('confirm.action')}
      done={t('removed')}
      already="ERR_NO_USER_FOUND"
      onConfirm={() => api('DELETE /users/:id', { params: { id: row.id }, body: {} })}
      onDone={() => rows.drop(row.id)}
      onClose={onClose}
    />
  )
}

async function load(id: number, signal: AbortSignal): Promise<RemovalData> {
  const [details, { users: people }, queues] = await Promise.all([
    api('GET /users/:id', { params: { id }, signal }),
    api('GET /users', { query: { all: 'true' }, signal }),
    api('GET /queue', { signal }),
  ])
  return { details, people, queues }
}
