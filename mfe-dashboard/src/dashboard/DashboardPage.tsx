import { useTexts } from '@balcao/ui/i18n'
import { useMemo } from 'react'
import { ByQueue } from './ByQueue.tsx'
import { Counters } from './Counters.tsx'
import { Facts } from './Facts.tsx'
import { FigurePage } from './FigurePage.tsx'
import type { Filter } from './filter.ts'
import { Hours } from './Hours.tsx'
import { loadNumbers, type Numbers } from './numbers.ts'
import { People } from './People.tsx'
import { Rating } from './Rating.tsx'
import { Recount } from './Recount.tsx'
import { ServiceLevel } from './ServiceLevel.tsx'
import { Shares } from './Shares.tsx'
import { toShares } from './shares.ts'
import './texts.ts'

const SOURCE = { load: loadNumbers, isCounting: ({ stats }: Numbers) => stats.counting !== null }

/** The dashboard: how the company serves now and in a period (spec 1 §2). */
export default function DashboardPage() {
  const t = useTexts('dashboard')
  return (
    <FigurePage title={t('title')} cards={2} source={SOURCE}>
      {(numbers, filter) => <Figures numbers={numbers} filter={filter} />}
    </FigurePage>
  )
}

function Figures({ numbers, filter }: { readonly numbers: Numbers; readonly filter: Filter }) {
  const t = useTexts('dashboard')
  const shares = useMemo(() => toShares(numbers, t), [numbers, t])
  return (
    <>
      {numbers.stats.counting && <Recount counting={numbers.stats.counting} />}
      <Counters numbers={numbers} filter={filter} />
      <ServiceLevel level={numbers.serviceLevel} filter={filter} />
      <Facts cards={numbers.cards} />
      <div className="grid gap-3 lg:grid-cols-2">
        <Hours stats={numbers.stats} />
        <Rating stats={numbers.stats} />
      </div>
      <div className="grid gap-3 lg:grid-cols-3">
        <Shares id="person" values={shares.person} />
        <Shares id="contact" values={shares.contact} />
        <Shares id="queue" values={shares.queue} />
      </div>
      <People people={numbers.people} queueId={filter.queueId} />
      <ByQueue queues={numbers.stats.queues} />
    </>
  )
}
