// A message for later: to this contact, or to others for who may (spec 1 §5 "Schedule dialog", spec 3 §2, decisions §4).
import { SCHEDULE_MIMES, type Schedule, type ScheduleFault, scheduleFaults } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/kinds'
import { api, upload } from '@balcao/ui/api'
import { useAsked, useBusy } from '@balcao/ui/ask'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, ConfirmDialog, Dialog, Field, Select, TextArea, TextInput, toast } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Choices } from './ScheduleChoices.tsx'
import { FileField } from './ScheduleFileField.tsx'
import { Outlook } from './ScheduleOutlook.tsx'
import { Recipients } from './ScheduleRecipients.tsx'
import { WhenFields } from './ScheduleWhenFields.tsx'
import {
  type About,
  BESIDE_CONVERSATION,
  bodyOf,
  type Draft,
  draftOf,
  formOf,
  newDraft,
  ON_PAGE,
} from './schedule-draft.ts'
import { TemplateField } from './TemplateField.tsx'
import { useFormTexts } from './texts.ts'

export type { About }

interface ScheduleFormProps {
  /** The conversation it is scheduled beside; null on the page of scheduled sends. */
  readonly about: About | null
  /** Whether others than this contact may be chosen (decisions §4). */
  readonly mayAll: boolean
  /** The one to change; null makes a new one. */
  readonly scheduleId: number | null
  readonly onClose: () => void
}

export function ScheduleForm({ scheduleId, ...props }: ScheduleFormProps) {
  const { now: schedule } = useAsked(
    scheduleId,
    () => api('GET /agendamento/:id', { params: { id: scheduleId ?? 0 } }),
    {
      onError(error) {
        toast.error(errorText(error))
        props.onClose()
      },
    },
  )
  if (scheduleId !== null && !schedule) return null
  return <Form {...props} schedule={schedule} />
}

interface FormProps extends Omit<ScheduleFormProps, 'scheduleId'> {
  readonly schedule: Schedule | null
}

function Form({ about, mayAll, schedule, onClose }: FormProps) {
  const contactId = about?.contactId ?? null
  const t = useFormTexts()
  const common = useTexts('ui')
  const timezone = useSetting('timezone')
  const connections = useAsked('connections', signal => api('GET /whatsapp', { signal })).last ?? []
  const [draft, setDraft] = useState<Draft>(() =>
    schedule ? draftOf(schedule, about, new Date(), timezone) : newDraft(about, new Date(), timezone),
  )
  const [faults, setFaults] = useState<readonly ScheduleFault[]>([])
  const [asked, setAsked] = useState(false)
  const [busy, during] = useBusy()
  const [deleting, setDeleting] = useState(false)
  const [kept, setKept] = useState(schedule?.mediaName ?? null)

  function change(next: Partial<Draft>) {
    const now = { ...draft, ...next }
    setDraft(now)
    if (faults.length > 0) setFaults(scheduleFaults(formOf(now, contactId), new Date(), timezone))
  }

  const saving = async () => {
    const body = bodyOf(draft, contactId)
    await (schedule
      ? upload('PUT /agendamento/:id', { params: { id: schedule.id }, body })
      : upload('POST /agendamento', { body }))
    toast.success(t('schedule.saved'))
    onClose()
  }

  function save() {
    const found = scheduleFaults(formOf(draft, contactId), new Date(), timezone)
    setFaults(found)
    setAsked(true)
    if (found.length === 0 && !draft.template?.missing) during(saving)
  }

  async function remove(id: number) {
    try {
      await api('DELETE /agendamento/:id', { params: { id } })
      toast.success(t('schedule.deleted'))
      onClose()
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

  const connection = connections.find(one => (draft.whatsappId === null ? one.isDefault : one.id === draft.whatsappId))

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
      title={t(schedule ? 'schedule.edit' : about ? 'schedule.title' : 'schedule.newTitle')}
      width={580}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          {schedule && (
            <Button kind="plain" className="h-delete" onClick={() => setDeleting(true)}>
              {t('schedule.delete')}
            </Button>
          )}
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t(schedule ? 'schedule.save' : 'schedule.do')}
          </Button>
        </>
      }
    >
      <div className="h-form">
        <Recipients draft={draft} about={about} mayAll={mayAll} error={problem('contactsIds')} onChange={change} />
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
        <WhenFields
          offered={about ? BESIDE_CONVERSATION : ON_PAGE}
          draft={draft}
          timezone={timezone}
          problem={problem}
          onChange={change}
        />
        <div className="h-pair">
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
                value={connection?.id ?? null}
                onChange={whatsappId => whatsappId !== null && change({ whatsappId, template: null })}
              />
            </Field>
          )}
        </div>
        {connection && KIND_TABLE[connection.api].can.templates && (
          <TemplateField
            key={connection.id}
            whatsappId={connection.id}
            value={draft.template}
            kept={schedule?.template ?? null}
            error={asked && draft.template?.missing ? t('schedule.problem.templateIncomplete') : undefined}
            onChange={template => change({ template })}
          />
        )}
        <FileField
          name={draft.file?.name ?? kept}
          accept={SCHEDULE_MIMES}
          onChoose={file => change({ file })}
          onRemove={removeFile}
        />
        {!about && <Choices draft={draft} onChange={change} />}
        <Outlook draft={draft} contactId={contactId} />
      </div>
    </Dialog>
  )
}
