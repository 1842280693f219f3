// A message for later: to this contact, or to others for who may (spec 1 §5 "Schedule dialog", spec 3 §2, decisions §4).

import { canCarryFileType, SCHEDULE_MIMES, type Schedule, type ScheduleFault, validateSchedule } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { api, isApiError, upload } from '@balcao/ui/api'
import { useConnections } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import {
  Banner,
  Button,
  Field,
  HeldLetters,
  Select,
  TextArea,
  TextInput,
  toast,
  useNarrowerThan,
} from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { TriangleAlert } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { Clash, ConfirmDanger, FormDialog, useForm } from '../screens/index.ts'
import { Choices } from './ScheduleChoices.tsx'
import { FileField } from './ScheduleFileField.tsx'
import { Outlook } from './ScheduleOutlook.tsx'
import { Recipients } from './ScheduleRecipients.tsx'
import { WhenFields } from './ScheduleWhenFields.tsx'
import {
  BESIDE_CONVERSATION,
  createDraft,
  findConnection,
  getFaultField,
  hasSeveralConnections,
  LABELS,
  ON_PAGE,
  type ScheduleContact,
  type ScheduleDraft,
  toDraft,
  toScheduleForm,
  toScheduleFormData,
} from './schedule-draft.ts'
import { LeftTemplate, TemplateField } from './TemplateField.tsx'
import { useFormTexts } from './texts.ts'
import { useHeldSchedule } from './use-held-schedule.ts'

export type { ScheduleContact }

interface ScheduleFormProps {
  /** The conversation it is scheduled beside; null on the page of scheduled sends. */
  readonly about: ScheduleContact | null
  /** Whether others than this contact may be chosen (decisions §4). */
  readonly mayAll: boolean
  /** The one to change; null makes a new one. */
  readonly scheduleId: number | null
  /** What was written for it already, elsewhere: it stays there until it is saved. */
  readonly start?: Pick<ScheduleDraft, 'message' | 'file'> | null
  /** Told when the form stands there, and when it does no more. */
  readonly onShown?: (isShown: boolean) => void
  readonly onSaved?: (schedule: Schedule) => void
  readonly onClose: () => void
}

export function ScheduleForm({ scheduleId, ...props }: ScheduleFormProps) {
  const held = useHeldSchedule(scheduleId, props.onClose)
  if (scheduleId !== null && !held.schedule) return <HeldLetters />
  return <Filled {...props} held={held} />
}

interface FilledProps extends Omit<ScheduleFormProps, 'scheduleId'> {
  readonly held: ReturnType<typeof useHeldSchedule>
}

function Filled({ about, mayAll, held, start = null, onShown, onSaved, onClose }: FilledProps) {
  const { schedule, isGone, look: reload } = held
  const contactId = about?.contactId ?? null
  const t = useFormTexts()
  const timezone = useSetting('timezone')
  const { last: connections, again: lookAtConnections } = useConnections()
  const [began] = useState(() => new Date())
  const stored = schedule ? toDraft(schedule, about, began, timezone) : undefined
  const [isDeleting, setDeleting] = useState(false)
  const lostText = describeFault(connections?.length ? 'send.connectionGone' : 'send.noConnection')
  const form = useForm<ScheduleDraft, Schedule>({
    texts: 'forms',
    start: stored ?? { ...createDraft(about, began, timezone), ...start },
    now: stored,
    version: schedule?.version,
    ...{ isNew: schedule === null, isGone },
    // Other words that it began with make another one.
    keptAs: `schedules/${contactId ?? 'page'}/${schedule?.id ?? 'new'}${start ? `/${start.message}` : ''}`,
    labelOf: name => t(LABELS[name]),
    faultsOf: draft => ({
      // By the default one it goes out as soon as there is one.
      ...(connections && draft.whatsappId !== null && !findConnection(draft, connections) && { whatsappId: lostText }),
      ...(draft.file && !canCarryFileType(draft.file.type) && { file: 'ERR_FILE_TYPE' }),
      ...(draft.template?.missing && { template: describeFault('send.templateIncomplete') }),
      ...Object.fromEntries(
        validateSchedule(
          toScheduleForm(draft, contactId, schedule),
          new Date(),
          timezone,
          findConnection(draft, connections)?.api,
        ).map(({ path, code, params }) => [getFaultField(path, draft), describeFault(`send.${code}`, params)]),
      ),
    }),
    atOnce: ['whatsappId', 'file'],
    fieldOf: { ERR_FILE_TYPE: 'file', ERR_FILE_TOO_LARGE: 'file', ERR_NO_WAPP_FOUND: 'whatsappId' },
    async save(draft, progress, version, clientId) {
      try {
        if (!schedule)
          return await upload('POST /agendamento', {
            body: toScheduleFormData(draft, contactId, { clientId, connections }),
            ...progress,
          })
        const body = toScheduleFormData(draft, contactId, { version })
        return await upload('PUT /agendamento/:id', { params: { id: schedule.id }, body, ...progress })
      } catch (error) {
        // Where somebody was faster, the form says so and shows what; where the connection is gone, it offers the others.
        reload()
        if (isApiError(error, 'ERR_NO_WAPP_FOUND')) lookAtConnections()
        throw error
      }
    },
    onSaved(saved) {
      onSaved?.(saved)
      toast.success(t('schedule.saved'))
      onClose()
    },
  })
  useLayoutEffect(() => {
    onShown?.(true)
    return () => onShown?.(false)
  }, [onShown])
  // Beside its conversation nobody needs to be told whose that is.
  const isPage = useNarrowerThan('narrow')
  const { fields: draft, change } = form
  const connection = findConnection(draft, connections)
  const lost = form.errorOf('whatsappId')
  const problem = (path: ScheduleFault['path']) => form.errorOf(getFaultField(path, draft))
  const clash = (name: 'message' | 'title') => {
    const value = form.clashOf(name)
    return value === undefined ? undefined : <Clash value={value} />
  }

  return (
    <>
      <FormDialog
        form={form}
        title={
          <>
            {t(schedule ? 'schedule.edit' : about ? 'schedule.title' : 'schedule.newTitle')}
            {about && isPage && (
              <>
                {' · '}
                <bdi>{about.contact.name || t('noName')}</bdi>
              </>
            )}
          </>
        }
        action={t(schedule ? 'schedule.save' : 'schedule.do')}
        panel={about ? 'conversation' : 'list'}
        danger={
          schedule && (
            <Button kind="plain" className="h-delete" onClick={() => setDeleting(true)}>
              {t('schedule.delete')}
            </Button>
          )
        }
        onClose={onClose}
      >
        <Recipients draft={draft} about={about} mayAll={mayAll} error={problem('contactsIds')} onChange={change} />
        {draft.audience === 'all' && (
          <Banner kind="danger" icon={TriangleAlert}>
            {t('schedule.spam')}
          </Banner>
        )}
        <Field label={t('schedule.message')} hint={clash('message')} error={problem('message')} required>
          <TextArea
            value={draft.message}
            maxLength={4096}
            className="h-message"
            maxRows={8}
            data-autofocus={start?.message ? undefined : ''}
            onChange={message => change({ message })}
          />
        </Field>
        <WhenFields
          offered={about ? BESIDE_CONVERSATION : ON_PAGE}
          draft={draft}
          timezone={timezone}
          hasFocus={Boolean(start?.message)}
          problem={problem}
          onChange={change}
        />
        <div className="h-pair">
          <Field label={t('schedule.name')} hint={clash('title')}>
            <TextInput
              value={draft.title}
              maxLength={255}
              placeholder={t('schedule.nameExample')}
              onChange={title => change({ title })}
            />
          </Field>
          {connections && (hasSeveralConnections(connections) || lost !== null) && (
            <Field label={t('schedule.connection')} error={lost}>
              <Select
                options={connections.map(connection => ({ value: connection.id, label: connection.name }))}
                value={connection?.id ?? null}
                onChange={whatsappId => whatsappId !== null && change({ whatsappId, template: null })}
              />
            </Field>
          )}
        </div>
        {connection && KIND_TABLE[connection.api].can.templates ? (
          <TemplateField
            key={connection.id}
            whatsappId={connection.id}
            value={draft.template}
            stored={schedule?.template ?? null}
            error={form.errorOf('template') ?? undefined}
            onChange={template => change({ template })}
          />
        ) : (
          draft.template === undefined &&
          schedule?.template && (
            <LeftTemplate template={schedule.template} onRemove={() => change({ template: null })} />
          )
        )}
        <FileField
          name={draft.file?.name ?? schedule?.mediaName ?? null}
          accept={SCHEDULE_MIMES}
          error={form.errorOf('file')}
          onChoose={file => change({ file })}
          onRemove={() => (draft.file || !schedule ? change({ file: null }) : held.removeFile())}
        />
        {!about && <Choices draft={draft} onChange={change} />}
        <Outlook draft={draft} contactId={contactId} />
      </FormDialog>
      {isDeleting && schedule && (
        <ConfirmDanger
          title={t('schedule.deleteTitle')}
          text={t('schedule.deleteText')}
          action={t('schedule.delete')}
          done={t('schedule.deleted')}
          already="ERR_NO_SCHEDULE_FOUND"
          onConfirm={() => api('DELETE /agendamento/:id', { params: { id: schedule.id } })}
          onDone={() => {
            form.forget()
            onClose()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
