import type { ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { useUser } from '@balcao/ui/session'
import { Timer } from 'lucide-react'
import { FigurePage } from '../dashboard/FigurePage.tsx'
import { type Filter, toQuery } from '../dashboard/filter.ts'
import { Recount } from '../dashboard/Recount.tsx'
import { hasServiceLevel, ServiceLevel } from '../dashboard/ServiceLevel.tsx'

type Level = ResponseBody<'GET /dashboard/service-level'>

const SOURCE = {
  load: (filter: Filter, signal: AbortSignal): Promise<Level> =>
    api('GET /dashboard/service-level', { query: toQuery(filter), signal }),
  isCounting: ({ counting }: Level) => counting !== null,
}

/** Who answers in time and who is late now: for managers too, of their own queues. */
export default function ServiceLevelPage() {
  const t = useTexts('dashboard')
  return (
    <FigurePage title={t('level.title')} cards={1} source={SOURCE}>
      {(level, filter) => (
        <>
          {level.counting && <Recount counting={level.counting} />}
          {hasServiceLevel(level) ? <ServiceLevel level={level} filter={filter} /> : <NoTargets />}
        </>
      )}
    </FigurePage>
  )
}

/** Who may set them is led there. */
function NoTargets() {
  const t = useTexts('dashboard')
  const navigate = useNavigate()
  const isAdmin = useUser().profile === 'admin'
  return (
    <EmptyState
      icon={Timer}
      title={t('level.noTargets.title')}
      text={t(isAdmin ? 'level.noTargets.text' : 'level.noTargets.ask')}
    >
      {isAdmin && <Button onClick={() => void navigate('/Queues')}>{t('level.noTargets.open')}</Button>}
    </EmptyState>
  )
}
