import { useTexts } from '@balcao/ui/i18n'
import { BarChart } from '@balcao/ui/screens'
import { useSetting } from '@balcao/ui/session'
import { restingHours } from './lunch.ts'
import type { Numbers } from './numbers.ts'
import { Panel } from './Panel.tsx'

/** Tickets opened by hour of the day, from 08 to 19 (spec 1 §9). */
export function Hours({ hours }: { readonly hours: Numbers['stats']['hours'] }) {
  const t = useTexts('dashboard')
  const peak = hours.reduce((one, other) => (other.tickets > one.tickets ? other : one), { hour: 0, tickets: 0 })
  const finding = peak.tickets > 0 ? t('peakHour', { hour: peak.hour, count: peak.tickets }) : t('noTickets')
  const values = hours.map(({ hour, tickets }) => ({ name: nameOf(hour), value: tickets }))
  const resting = restingHours(useSetting('horarioAlmoco'), useSetting('horarioFimAlmoco')).map(nameOf)
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
    </Panel>
  )
}

function nameOf(hour: number): string {
  return `${String(hour).padStart(2, '0')}h`
}
