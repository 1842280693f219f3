import type { FirstStep } from '@balcao/contract/first-steps/first-steps'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Banner, Button } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { Check, ListChecks } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { findNextStep, STEP_PAGES, toStepAddress, useFirstSteps } from './steps.ts'

/**
 * On the page of a step, until a new company is through with them: which one is done here, or that it is and the way to the next one; and
 * the way back to all of them.
 */
export function NextStep({ after }: { readonly after: FirstStep }) {
  const t = useTexts('first-steps')
  const { last, again } = useFirstSteps({ isOnce: true })
  const box = useRef<HTMLDivElement>(null)
  const isDone = last?.done.includes(after) === true
  const isPressed = useRef(false)
  // The button that was pressed has made room for the way on.
  useEffect(() => {
    if (isDone && isPressed.current) box.current?.querySelector<HTMLElement>('.b-button')?.focus()
    isPressed.current = false
  }, [isDone])
  if (!last || last.isOver) return null
  const { done } = last
  const next = findNextStep(done) ?? after
  return (
    <div ref={box} className="mb-3 overflow-hidden rounded-card">
      <Banner
        kind={isDone ? 'ok' : 'info'}
        icon={isDone ? Check : ListChecks}
        action={
          isDone && STEP_PAGES[next] !== STEP_PAGES[after] ? (
            <Link to={toStepAddress(next, done)} className="b-button is-small is-normal">
              {t(`step.${next}.go`)}
            </Link>
          ) : (
            !isDone && after === 'hours' && <HoursButton onConfirmed={confirmed} />
          )
        }
      >
        {t(isDone ? 'next' : 'here', { step: t(`step.${isDone ? next : after}.title`) })}{' '}
        <Link to="/first-steps" className="b-link">
          {t('back')}
        </Link>
      </Banner>
    </div>
  )

  function confirmed() {
    isPressed.current = true
    again()
  }
}

/** Hours that are changed tick their step off; those that are right as they are need somebody who says so. */
function HoursButton({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const t = useTexts('first-steps')
  const [busy, run] = useBusy()
  return (
    <Button size="small" busy={busy} onClick={() => void run(confirm)}>
      {t('right')}
    </Button>
  )

  async function confirm() {
    await api('PUT /first-steps', { body: { hoursChecked: true } })
    onConfirmed()
  }
}
