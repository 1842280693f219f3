import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Link } from '@balcao/ui/router'
import { keepPerSession, useUser } from '@balcao/ui/session'

/** A company at work is asked once, not at the end of each list. */
const getProgress = keepPerSession(() => ({ isOver: false }))

/** An administrator of a new company came from its first steps to write the first answer: the way back, until they are over. */
export function FirstStepsLink() {
  const t = useTexts('tickets')
  const isAdmin = useUser().profile === 'admin'
  const progress = getProgress()
  const { last } = useQuery(isAdmin && !progress.isOver ? 'first-steps' : null, async signal => {
    const steps = await api('GET /first-steps', { signal })
    progress.isOver = steps.isOver
    return steps
  })
  if (last?.isOver !== false) return null
  return (
    <Link to="/first-steps" className="b-link">
      {t('firstSteps')}
    </Link>
  )
}
