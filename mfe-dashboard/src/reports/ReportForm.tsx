import { REPORT_FORMATS, REPORT_STATUSES, type ReportName } from '@balcao/contract/reports/rules'
import { api } from '@balcao/ui/api'
import { useBusy, usePeople, useQuery } from '@balcao/ui/ask'
import { toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { Button, Field, Segments, Select, TextInput, toast } from '@balcao/ui/parts'
import { describeProblem, findContacts, focusFirstFault, Picker } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { type FormEvent, useRef, useState } from 'react'
import { useNextDay } from '../dashboard/next-day.ts'
import { type ReportBody, startReport } from './calls.ts'
import { advanceFields, createFields, type ReportFields, toBody, validateFields } from './form.ts'
import { SizeLine } from './SizeLine.tsx'

interface ReportFormProps {
  readonly report: ReportName
  /** What it was begun with. */
  readonly onBegun: (body: ReportBody) => void
}

/** What a report holds, as what it comes, and the button that begins it (spec 3 §2, §5). */
export function ReportForm({ report, onBegun }: ReportFormProps) {
  const t = useTexts('reports')
  const [fields, setFields] = useState(() => createFields(toCompanyDay(new Date())))
  useNextDay((then, now) => setFields(old => advanceFields(old, then, now)))
  const [isTried, setTried] = useState(false)
  const [busy, during] = useBusy()
  const box = useRef<HTMLFormElement>(null)
  const faults = validateFields(report, fields)
  const isRight = Object.keys(faults).length === 0
  const set = (part: Partial<ReportFields>) => setFields(old => ({ ...old, ...part }))
  const errorOf = (name: keyof ReportFields) => (isTried ? describeProblem('reports', faults[name]) : null)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isRight) return focusFirstFault(box.current, () => setTried(true))
    setTried(true)
    during(async () => {
      const body = toBody(report, fields)
      await startReport(report, body)
      onBegun(body)
      setTried(false)
      toast.info(t('begun'))
    })
  }

  return (
    <form ref={box} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
      <div className="grid gap-x-3 gap-y-3.5 sm:grid-cols-3">
        {(['startDate', 'endDate'] as const).map(name => (
          <Field key={name} label={t(`field.${name}`)} error={errorOf(name)} required>
            <TextInput
              type="date"
              value={fields[name]}
              max="9999-12-31"
              aria-required
              onChange={day => set({ [name]: day })}
            />
          </Field>
        ))}
        {report !== 'message' && <Narrowing fields={fields} onChange={set} />}
        <Field label={t('field.contact')} error={errorOf('contactId')} required={report === 'message'}>
          <Picker
            value={fields.contactId}
            onChange={contactId => set({ contactId })}
            find={findContacts}
            placeholder={t('contactHint')}
          />
        </Field>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-3">
        <SizeLine report={report} body={isRight ? toBody(report, fields) : null} />
        <Button
          kind="plain"
          onClick={() => {
            setFields(({ format }) => ({ ...createFields(toCompanyDay(new Date())), format }))
            setTried(false)
          }}
        >
          {t('clear')}
        </Button>
        <Segments
          label={t('format')}
          tabs={REPORT_FORMATS.map(id => ({ id, label: t(`formats.${id}`) }))}
          chosen={fields.format}
          onChoose={format => set({ format })}
        />
        <Button type="submit" kind="primary" busy={busy}>
          {t('make')}
        </Button>
      </div>
    </form>
  )
}

interface NarrowingProps {
  readonly fields: ReportFields
  readonly onChange: (part: Partial<ReportFields>) => void
}

/** Status, queue, person; who is no admin has the own queues alone (decisions §4). */
function Narrowing({ fields, onChange }: NarrowingProps) {
  const t = useTexts('reports')
  const { profile, queueIds } = useUser()
  const { last: queues } = useQuery('queues', signal => api('GET /queue', { signal }))
  const { last: people } = usePeople()
  const own = (queues ?? []).filter(({ id }) => profile === 'admin' || queueIds.includes(id))
  return (
    <>
      <Field label={t('field.status')}>
        <Select
          placeholder={t('allStatuses')}
          options={REPORT_STATUSES.flatMap(value => (value === '' ? [] : [{ value, label: t(`status.${value}`) }]))}
          value={fields.status}
          onChange={status => onChange({ status })}
          clearable
        />
      </Field>
      <Field label={t('field.queue')}>
        <Select
          placeholder={t(profile === 'admin' ? 'allQueues' : 'ownQueues')}
          options={own.map(({ id, name, color }) => ({ value: id, label: name, color }))}
          value={fields.queueId}
          onChange={queueId => onChange({ queueId })}
          clearable
        />
      </Field>
      <Field label={t('field.person')}>
        <Select
          placeholder={t('allPeople')}
          options={(people ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={fields.userId}
          onChange={userId => onChange({ userId })}
          clearable
        />
      </Field>
    </>
  )
}
