import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Link } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'

/** An administrator of a new company came from its first steps to write the first answer: the way back, until they are over. */
export function FirstStepsLink() {
  const t = useTexts('tickets')
  const isAdmin = useUser().profile === 'admin'
  const { last } = useQuery(isAdmin ? 'first-steps' : null, signal => api('GET /first-steps', { signal }))
  if (last?.isOver !== false) return null
  return (
    <Link to="/first-steps" className="b-link">
      {t('firstSteps')}
    </Link>
  )
}
