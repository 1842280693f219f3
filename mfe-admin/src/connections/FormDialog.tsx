import type { Connection, Queue } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/kinds'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Dialog, FormButtons, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import { addConnection, changeConnection, startSession } from './calls.ts'
import type { Desk } from './desk.ts'
import { BasicFields } from './fields/BasicFields.tsx'
import { BotFields } from './fields/BotFields.tsx'
import { MessageFields } from './fields/MessageFields.tsx'
import { MetaFields } from './fields/MetaFields.tsx'
import { emptyFields, type Field, type Fields, fieldsOf, problemsOf } from './form.ts'
import { serverProblems } from './server-problems.ts'

interface FormDialogProps {
  /** Null adds a new one. */
  readonly connection: Connection | null
  readonly first: boolean
  readonly queues: readonly Queue[]
  readonly desk: Desk
  readonly onClose: () => void
}

/** Adds or changes a connection (spec 2 §2, §5). After adding it goes on to what comes next: the QR code or Meta's side. */
export function FormDialog({ connection, first, queues, desk, onClose }: FormDialogProps) {
  const t = useTexts('admin')
  const [fields, setFields] = useState<Fields>(() =>
    connection
      ? fieldsOf(connection)
      : emptyFields(first, { nps: t('form.npsDefault'), npsThanks: t('form.npsThanksDefault') }),
  )
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<Readonly<Partial<Record<Field, string>>>>({})
  const [busy, setBusy] = useState(false)
  const problems = problemsOf(fields, { hasToken: connection?.hasToken ?? false })
  const shown = tried ? { ...refused, ...problems } : refused

  function change(part: Partial<Fields>) {
    setFields(old => ({ ...old, ...part }))
    setRefused({})
  }

  async function save() {
    setTried(true)
    if (Object.keys(problems).length > 0) return focusFirstProblem()
    setBusy(true)
    try {
      const saved = connection ? await changeConnection(connection.id, fields) : await addConnection(fields)
      desk.put(saved)
      // Another connection may have lost its default flag.
      void desk.reload()
      if (connection) {
        toast.success(t('saved'))
        return onClose()
      }
      desk.open({ kind: saved.capabilities.webhook ? 'webhook' : 'qr', id: saved.id })
      if (saved.capabilities.pair.includes('qr')) desk.put(await startSession(saved.id))
      return
    } catch (error) {
      const found = serverProblems(error)
      setRefused(found)
      if (Object.keys(found).length === 0) toast.error(errorText(error))
      else focusFirstProblem()
    }
    setBusy(false)
  }

  const parts = { fields, change, problems: shown, editing: connection !== null }
  return (
    <Dialog
      title={connection ? t('form.editTitle', { name: connection.name }) : t('form.addTitle')}
      intro={connection ? t('form.locked') : undefined}
      width={560}
      onClose={onClose}
      onSubmit={() => void save()}
      className="is-connection-form [&_.b-dialog-foot]:sticky [&_.b-dialog-foot]:-bottom-4 [&_.b-dialog-foot]:rounded-b-dialog [&_.b-dialog-foot]:bg-raised"
      footer={<FormButtons action={t(connection ? 'form.save' : 'form.create')} busy={busy} onClose={onClose} />}
    >
      <div className="grid gap-5">
        <BasicFields {...parts} queues={queues} />
        {KIND_TABLE[fields.api].fields.length > 0 && (
          <MetaFields {...parts} hasToken={connection?.hasToken ?? false} webhookUrl={connection?.webhookUrl ?? null} />
        )}
        <MessageFields {...parts} />
        <BotFields {...parts} />
      </div>
    </Dialog>
  )
}

/** After the errors are drawn: opens the section and goes to the first wrong field. */
function focusFirstProblem() {
  requestAnimationFrame(() => {
    const wrong = document.querySelector<HTMLElement>('.is-connection-form [aria-invalid="true"]')
    wrong?.closest('details')?.setAttribute('open', '')
    wrong?.focus()
  })
}
