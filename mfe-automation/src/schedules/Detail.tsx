import type { Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Banner, Button, Dialog, toast } from '@balcao/ui/parts'
import { FileLabel } from '@balcao/ui/screens'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import {
  describeRhythm,
  describeScheduleState,
  formatNextDay,
  formatScheduleName,
  formatScheduleTime,
} from './words.ts'

interface DetailProps {
  readonly schedule: Schedule
  readonly onSteered: (schedule: Schedule) => void
  readonly onClose: () => void
}

type Steering = 'pause' | 'resume' | 'cancel'

/** One scheduled send, read-only (spec 3 §2); it can be paused, resumed and ended here (decisions §15). */
export function Detail({ schedule, onSteered, onClose }: DetailProps) {
  const t = useTexts('schedules')
  const { allContacts, contacts, tags } = schedule
  const names = [...tags, ...contacts].map(({ name }) => name)
  const facts: readonly (readonly [string, string])[] = [
    ['recurrence', [t(`every.${schedule.recurrence}`), describeRhythm(schedule, t)].filter(Boolean).join(' · ')],
    ['time', formatScheduleTime(schedule)],
    ['day', formatNextDay(schedule)],
    ['recipients', allContacts ? t('recipients.all') : names.join(', ')],
    ['connection', schedule.whatsapp?.name ?? ''],
    ['template', schedule.template?.name ?? ''],
    ['program', schedule.program?.name ?? ''],
    ['state', describeScheduleState(schedule, t)],
  ]
  return (
    <Dialog
      title={formatScheduleName(schedule)}
      width={520}
      onClose={onClose}
      footer={<Steering schedule={schedule} onSteered={onSteered} />}
    >
      <div className="grid gap-4">
        <Banner kind="info" icon={Lock}>
          {t('detail.readOnly')}
        </Banner>
        <div className="grid gap-1.5 rounded-card bg-wall p-3 text-body break-words whitespace-pre-line">
          {schedule.mediaName && <FileLabel name={schedule.mediaName} />}
          <bdi>{schedule.message}</bdi>
        </div>
        <dl className="m-0 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-cell">
          {facts
            .filter(([, value]) => value !== '')
            .map(([key, value]) => (
              <div key={key} className="contents">
                <dt className="text-muted">{t(`detail.${key}`)}</dt>
                <dd className="m-0 break-words text-ink">{value}</dd>
              </div>
            ))}
        </dl>
      </div>
    </Dialog>
  )
}

/** Asked once more in the foot before it is done. */
function Steering({ schedule: { id, state }, onSteered }: Omit<DetailProps, 'onClose'>) {
  const t = useTexts('schedules')
  const [busy, during] = useBusy()
  const [question, ask] = useState<Steering | null>(null)
  const isOver = state === 'done' || state === 'cancelled'
  const isStill = state === 'paused' || state === 'stopped'
  const steer = async (action: Steering) => {
    onSteered(await api(`PUT /agendamento/:id/${action}`, { params: { id } }))
    toast.success(t(`steer.${action}.done`))
    ask(null)
  }
  if (isOver) return null
  if (question)
    return (
      <>
        <strong className="mr-auto self-center text-cell font-semibold" role="alert">
          {t(`steer.${question}.question`)}
        </strong>
        <Button kind="plain" onClick={() => ask(null)}>
          {t('no')}
        </Button>
        <Button
          ref={button => button?.focus()}
          kind={question === 'cancel' ? 'danger' : 'primary'}
          busy={busy}
          onClick={() => during(() => steer(question))}
        >
          {t(`steer.${question}.action`)}
        </Button>
      </>
    )
  return (
    <>
      <Button kind="plain" className="mr-auto text-danger" onClick={() => ask('cancel')}>
        {t('steer.cancel.action')}
      </Button>
      <Button onClick={() => ask(isStill ? 'resume' : 'pause')}>
        {t(`steer.${isStill ? 'resume' : 'pause'}.action`)}
      </Button>
    </>
  )
}
