import { useTexts } from '@balcao/ui/i18n'
import { useSetting } from '@balcao/ui/session'
import { BarChart } from '../charts/Chart.tsx'
import { listRestingHours } from './lunch.ts'
import type { Numbers } from './numbers.ts'
import { Panel } from './Panel.tsx'

/** Tickets opened by hour of the day, from 08 to 19 (spec 1 §9). */
export function Hours({ stats: { hours, opened } }: Pick<Numbers, 'stats'>) {
  const t = useTexts('dashboard')
  const peak = hours.reduce((one, other) => (other.tickets > one.tickets ? other : one), { hour: 0, tickets: 0 })
  const outside = opened - hours.reduce((sum, { tickets }) => sum + tickets, 0)
  const span = { from: hours[0]?.hour, to: hours.at(-1)?.hour }
  const none = t(outside > 0 ? 'noneInside' : 'noTickets', span)
  const finding = peak.tickets > 0 ? t('peakHour', { hour: peak.hour, count: peak.tickets }) : none
  const values = hours.map(({ hour, tickets }) => ({ name: formatHour(hour), value: tickets }))
  const resting = listRestingHours(useSetting('horarioAlmoco'), useSetting('horarioFimAlmoco')).map(formatHour)
  return (
    <Panel title={t('byHour')} finding={finding}>
      <BarChart
        title={t('byHour')}
        isNamed={false}
        unit={t('tickets')}
        values={values}
        resting={resting}
        restingName={t('lunch')}
      />
      {outside > 0 && (
        <p className="m-0 mt-2 text-small text-text-2" data-outside="">
          {t('outside', { ...span, count: outside })}
        </p>
      )}
    </Panel>
  )
}

function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}h`
}
