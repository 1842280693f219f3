import type { Connection } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import { codeOf, deleteConnection, endSession, startAfresh } from './calls.ts'
import type { Desk } from './desk.ts'

interface ConfirmProps {
  readonly connection: Connection
  readonly desk: Desk
  readonly onClose: () => void
}

/** Deletes; refused with conversations in service, and then asks whether to close them (decisions: deleting a connection). */
export function RemoveDialog({ connection, desk, onClose }: ConfirmProps) {
  const t = useTexts('admin')
  const [live, setLive] = useState(false)
  const { name, id } = connection
  const { busy, run } = useRunning(onClose)
  async function remove() {
    try {
      await deleteConnection(id, live)
    } catch (error) {
      if (codeOf(error) !== 'ERR_WAPP_HAS_LIVE_TICKETS' || live) throw error
      setLive(true)
      return false
    }
    toast.success(t('deleted'))
    void desk.reload()
    return true
  }
  return (
    <ConfirmDialog
      key={String(live)}
      title={t(live ? 'remove.liveTitle' : 'remove.title', { name })}
      text={t(live ? 'remove.liveText' : 'remove.text')}
      action={t(live ? 'remove.force' : 'remove.confirm')}
      busy={busy}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    />
  )
}

/** Logs the phone out. */
export function LogoutDialog({ connection, desk, onClose }: ConfirmProps) {
  const t = useTexts('admin')
  const { busy, run } = useRunning(onClose)
  async function logout() {
    desk.put(await endSession(connection.id))
    toast.success(t('disconnected'))
    return true
  }
  return (
    <ConfirmDialog
      title={t('logout.title', { name: connection.name })}
      text={t('logout.text')}
      action={t('logout.confirm')}
      busy={busy}
      onConfirm={() => void run(logout)}
      onClose={onClose}
    />
  )
}

/** Forgets the pairing and shows a new code. */
export function FreshDialog({ connection, desk, onClose }: ConfirmProps) {
  const t = useTexts('admin')
  const { busy, run } = useRunning(onClose)
  async function afresh() {
    desk.put(await startAfresh(connection.id))
    desk.open({ kind: 'qr', id: connection.id })
    return false
  }
  return (
    <ConfirmDialog
      title={t('fresh.title', { name: connection.name })}
      text={t('fresh.text')}
      action={t('fresh.confirm')}
      busy={busy}
      onConfirm={() => void run(afresh)}
      onClose={onClose}
    />
  )
}

/** Runs once at a time, closes when it says true, tells what went wrong. */
function useRunning(onClose: () => void) {
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<boolean>) {
    setBusy(true)
    try {
      if (await work()) onClose()
    } catch (error) {
      toast.error(errorText(error))
    }
    setBusy(false)
  }
  return { busy, run }
}
