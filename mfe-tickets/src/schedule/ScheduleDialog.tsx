// A message for later: to this contact, or to others for who may (spec 1 §5 "Schedule dialog", decisions §4).
import { SCHEDULE_MIMES, type Schedule, type ScheduleFault, scheduleFaults } from '@balcao/contract'
import { api, upload } from '@balcao/ui/api'
import { useAsked, useBusy } from '@balcao/ui/ask'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, ConfirmDialog, Dialog, Field, Select, TextArea, TextInput, toast } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import '../contact/late.ts'
import { useLookups } from '../desk/lookups.ts'
import { closeDialog } from '../desk/view.ts'
import { bodyOf, type Draft, draftOf, formOf, newDraft } from './draft.ts'
import { FileField } from './FileField.tsx'
import { Outlook } from './Outlook.tsx'
import { Recipients } from './Recipients.tsx'
import { WhenFields } from './WhenFields.tsx'

interface ScheduleDialogProps {
  readonly context: TicketContext
  /** The one to change; null makes a new one. */
  readonly scheduleId: number | null
}

export default function ScheduleDialog({ context, scheduleId }: ScheduleDialogProps) {
  const { now: schedule } = useAsked(
    scheduleId,
    () => api('GET /agendamento/:id', { params: { id: scheduleId ?? 0 } }),
    {
      onError(error) {
        toast.error(errorText(error))
        closeDialog()
      },
    },
  )
  if (scheduleId !== null && !schedule) return null
  return <Form context={context} schedule={schedule} />
}

function Form({ context, schedule }: { readonly context: TicketContext; readonly schedule: Schedule | null }) {
  const t = useTexts('tickets')
  const common = useTexts('ui')
  const { ticket, viewer } = context
  const timezone = useSetting('timezone')
  const { connections } = useLookups()
  const [draft, setDraft] = useState<Draft>(() =>
    schedule ? draftOf(schedule, ticket, new Date(), timezone) : newDraft(ticket, new Date(), timezone),
  )
  const [faults, setFaults] = useState<readonly ScheduleFault[]>([])
  const [busy, during] = useBusy()
  const [deleting, setDeleting] = useState(false)
  const [kept, setKept] = useState(schedule?.mediaName ?? null)

  function change(next: Partial<Draft>) {
    const now = { ...draft, ...next }
    setDraft(now)
    if (faults.length > 0) setFaults(scheduleFaults(formOf(now, ticket.contactId), new Date(), timezone))
  }

  const saving = async () => {
    const body = bodyOf(draft, ticket.contactId)
    await (schedule
      ? upload('PUT /agendamento/:id', { params: { id: schedule.id }, body })
      : upload('POST /agendamento', { body }))
    toast.success(t('schedule.saved'))
    closeDialog()
  }

  function save() {
    const found = scheduleFaults(formOf(draft, ticket.contactId), new Date(), timezone)
    setFaults(found)
    if (found.length === 0) during(saving)
  }

  async function remove(id: number) {
    try {
      await api('DELETE /agendamento/:id', { params: { id } })
      toast.success(t('schedule.deleted'))
      closeDialog()
    } catch (error) {
      setDeleting(false)
      toast.error(errorText(error))
    }
  }

  function removeFile() {
    if (draft.file || !schedule) return change({ file: null })
    during(async () => {
      await api('DELETE /agendamento/file/:id', { params: { id: schedule.id } })
      setKept(null)
      toast.success(t('schedule.fileRemoved'))
    })
  }

  function problem(path: ScheduleFault['path']): string | null {
    const fault = faults.find(each => each.path === path)
    return fault ? t(`schedule.problem.${fault.code}`) : null
  }

  if (deleting && schedule)
    return (
      <ConfirmDialog
        title={t('schedule.deleteTitle')}
        text={t('schedule.deleteText')}
        action={t('schedule.delete')}
        onConfirm={() => void remove(schedule.id)}
        onClose={() => setDeleting(false)}
      />
    )
  return (
    <Dialog
      title={t(schedule ? 'schedule.edit' : 'schedule.title')}
      width={580}
      onClose={closeDialog}
      onSubmit={save}
      footer={
        <>
          {schedule && (
            <Button kind="plain" className="h-delete" onClick={() => setDeleting(true)}>
              {t('schedule.delete')}
            </Button>
          )}
          <Button onClick={closeDialog}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t(schedule ? 'schedule.save' : 'schedule.do')}
          </Button>
        </>
      }
    >
      <div className="g-form">
        <Recipients
          draft={draft}
          ticket={ticket}
          mayAll={viewer.profile !== 'user'}
          error={problem('contactsIds')}
          onChange={change}
        />
        {draft.audience === 'all' && (
          <Banner kind="danger" icon={TriangleAlert}>
            {t('schedule.spam')}
          </Banner>
        )}
        <Field label={t('schedule.message')} error={problem('message')} required>
          <TextArea
            value={draft.message}
            maxLength={4096}
            className="h-message"
            maxRows={8}
            data-autofocus=""
            onChange={message => change({ message })}
          />
        </Field>
        <WhenFields draft={draft} timezone={timezone} problem={problem} onChange={change} />
        <div className="x-pair">
          <Field label={t('schedule.name')}>
            <TextInput
              value={draft.title}
              maxLength={255}
              placeholder={t('schedule.nameExample')}
              onChange={title => change({ title })}
            />
          </Field>
          {connections.length > 1 && (
            <Field label={t('schedule.connection')}>
              <Select
                options={connections.map(connection => ({ value: connection.id, label: connection.name }))}
                value={draft.whatsappId}
                onChange={whatsappId => whatsappId !== null && change({ whatsappId })}
              />
            </Field>
          )}
        </div>
        <FileField
          name={draft.file?.name ?? kept}
          accept={SCHEDULE_MIMES}
          onChoose={file => change({ file })}
          onRemove={removeFile}
        />
        <Outlook draft={draft} contactId={ticket.contactId} timezone={timezone} />
      </div>
    </Dialog>
  )
}
