import { remember } from '@balcao/ui/browser'
import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { ChartBarBig, ChartPie } from 'lucide-react'
import { useState } from 'react'
import { type ChartValue, RingChart, ShareBars } from '../charts/Chart.tsx'
import { Panel } from './Panel.tsx'

interface SharesProps {
  readonly id: 'person' | 'contact' | 'queue'
  readonly values: readonly ChartValue[]
}

/** Tickets opened in the period, as a ring or as bars; which of the two is remembered on this device. */
export function Shares({ id, values }: SharesProps) {
  const t = useTexts('dashboard')
  const [isBars, setBars] = useState(() => localStorage.getItem(toStorageKey(id)) === 'bars')
  const Drawn = isBars ? ShareBars : RingChart

  function choose(bars: boolean) {
    setBars(bars)
    remember(toStorageKey(id), bars ? 'bars' : 'ring')
  }

  const title = t(`opened.${id}`)
  return (
    <Panel
      title={title}
      actions={
        <span className="flex gap-1">
          <IconButton
            size="small"
            icon={ChartPie}
            label={t('asRing', { title })}
            pressed={!isBars}
            onClick={() => choose(false)}
          />
          <IconButton
            size="small"
            icon={ChartBarBig}
            label={t('asBars', { title })}
            pressed={isBars}
            onClick={() => choose(true)}
          />
        </span>
      }
    >
      {values.length === 0 ? (
        <p className="m-0 py-8 text-center text-cell text-muted">{t('noTickets')}</p>
      ) : (
        <Drawn title={title} isNamed={false} unit={t('total')} values={values} />
      )}
    </Panel>
  )
}

function toStorageKey(id: string): string {
  return `balcao.dashboard.${id}`
}
