import type { FirstStep } from '@balcao/contract/first-steps/first-steps'
import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { Check } from 'lucide-react'
import { findNextStep, STEP_PAGES, toStepAddress, useFirstSteps } from './steps.ts'

/** On the page of a step that is done: that it is, and the way to the next one, until a new company is through with them. */
export function NextStep({ after }: { readonly after: FirstStep }) {
  const t = useTexts('first-steps')
  const { last } = useFirstSteps({ isOnce: true })
  const done = last?.isOver === false ? last.done : []
  const next = findNextStep(done)
  if (!done.includes(after) || !next) return null
  return (
    <div className="mb-3 overflow-hidden rounded-card">
      <Banner
        kind="ok"
        icon={Check}
        action={
          STEP_PAGES[next] !== STEP_PAGES[after] && (
            <Link to={toStepAddress(next, done)} className="b-button is-small is-normal">
              {t(`step.${next}.go`)}
            </Link>
          )
        }
      >
        {t('next', { step: t(`step.${next}.title`) })}{' '}
        <Link to="/first-steps" className="b-link">
          {t('title')}
        </Link>
      </Banner>
    </div>
  )
}
