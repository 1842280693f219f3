import { FIRST_STEPS, type FirstSteps } from '@balcao/contract/first-steps/first-steps'
import { api } from '@balcao/ui/api'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, ErrorState, Icon, joinClasses, Page, RowSkeletons, toast } from '@balcao/ui/parts'
import { Link, useNavigate } from '@balcao/ui/router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { Preset } from './Preset.tsx'
import { findNextStep, toStepAddress, useFirstSteps } from './steps.ts'

/** What a new company does first (its home until it is done): each step ticks itself off when what it names is there. */
export default function FirstStepsPage() {
  const t = useTexts('first-steps')
  const { last, error, again } = useFirstSteps()
  return (
    <Page title={t('title')} intro={last ? describeProgress(last) : t('intro')}>
      {last ? (
        <div className="grid max-w-[744px] grid-cols-[minmax(0,1fr)] gap-4">
          <Steps steps={last} />
          <Preset steps={last} again={again} />
          <End isOver={last.isOver} isDone={last.done.length === FIRST_STEPS.length} again={again} />
        </div>
      ) : error === null ? (
        <RowSkeletons rows={5} />
      ) : (
        <ErrorState title={t('failed')} text={describeError(error)} onRetry={again} />
      )}
    </Page>
  )

  function describeProgress({ done }: FirstSteps): string {
    if (done.length === FIRST_STEPS.length) return t('allDone')
    return t('progress', { done: done.length, all: FIRST_STEPS.length })
  }
}

function Steps({ steps: { done } }: { readonly steps: FirstSteps }) {
  const t = useTexts('first-steps')
  const next = findNextStep(done)
  return (
    <ol className="b-card m-0 list-none p-0" aria-label={t('title')}>
      {FIRST_STEPS.map((step, index) => {
        const isDone = done.includes(step)
        return (
          <li
            key={step}
            className="flex flex-wrap items-start gap-x-3.5 gap-y-2 border-line px-5 py-4 not-first:border-t max-sm:px-4"
            aria-current={step === next ? 'step' : undefined}
          >
            <span
              className={joinClasses(
                'mt-0.5 flex size-6 flex-none items-center justify-center rounded-full border text-small font-semibold',
                isDone && 'border-ok bg-ok-tint text-ok',
                step === next && 'border-primary bg-primary-tint text-primary-text',
                !isDone && step !== next && 'border-line-strong text-text-2',
              )}
            >
              {isDone ? <Icon of={Check} size={14} /> : index + 1}
            </span>
            <div className="min-w-0 flex-1 basis-64">
              <h2 className="m-0 text-body font-semibold text-ink">{t(`step.${step}.title`)}</h2>
              <p className="m-0 mt-0.5 text-cell text-text-2">{t(`step.${step}.text`)}</p>
            </div>
            <span className="ml-auto flex flex-none items-center gap-3 self-center">
              <span className={joinClasses('text-small', isDone ? 'text-ok' : 'text-muted')}>
                {isDone ? t('done') : t(`step.${step}.time`)}
              </span>
              <Link
                to={toStepAddress(step, done)}
                className={joinClasses(
                  'b-button sm:min-w-34',
                  step === next ? 'is-primary' : isDone ? 'is-plain' : 'is-normal',
                )}
              >
                {t(`step.${step}.go`)}
              </Link>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

interface EndProps {
  readonly isOver: boolean
  readonly isDone: boolean
  readonly again: () => void
}

/** Whether administrators begin here when they sign in; once all is done they never do again, so there is nothing to choose. */
function End({ isOver, isDone, again }: EndProps) {
  const t = useTexts('first-steps')
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  async function change() {
    setBusy(true)
    try {
      await api('PUT /first-steps', { body: { isOver: !isOver } })
      if (isOver) again()
      else void navigate('/tickets')
    } catch (error) {
      toast.error(describeError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-muted">
      {t(isOver ? 'end.away' : 'end.home')}
      {!isDone && (
        <Button size="small" kind="plain" busy={isBusy} onClick={() => void change()}>
          {t(isOver ? 'end.again' : 'end.enough')}
        </Button>
      )}
    </p>
  )
}
