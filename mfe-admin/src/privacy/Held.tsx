import type { Erasure, HeldData } from '@balcao/contract'
import type { ErasureFate } from '@balcao/contract/privacy/held-data-texts'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Banner, ErrorState, Icon, RowSkeletons } from '@balcao/ui/parts'
import { Check, Clock, Lock, TriangleAlert } from 'lucide-react'
import { Deliver } from './Deliver.tsx'
import { Erase } from './Erase.tsx'
import { type HeldDataRow, listHeldData } from './held-data.ts'
import { useFollowed } from './use-followed.ts'

const NOTHING: readonly Erasure[] = []

interface HeldProps {
  readonly personId: number
  readonly onChanged: () => void
}

/** What is held of one person, place by place with its fate; beside it what can be done. */
export function Held({ personId, onChanged }: HeldProps) {
  const t = useTexts('privacy')
  const {
    last: held,
    error,
    again,
  } = useQuery(personId, signal => api('GET /privacy/:contactId', { params: { contactId: personId }, signal }))
  useFollowed(held?.erasure ? [held.erasure] : NOTHING, again)
  const changed = () => {
    again()
    onChanged()
  }
  if (!held)
    return error === null ? (
      <RowSkeletons rows={6} />
    ) : (
      <ErrorState title={t('failed')} text={describeError(error)} onRetry={again} />
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 xl:grid-cols-[minmax(0,1fr)_minmax(0,22.5rem)]">
      <Places held={held} />
      <div className="grid items-start gap-3 md:max-xl:grid-cols-2">
        {error !== null && (
          <Banner kind="danger" icon={TriangleAlert}>
            {t('failed')}: {describeError(error)}
          </Banner>
        )}
        <Deliver held={held} />
        <Erase held={held} onChanged={changed} />
      </div>
    </div>
  )
}

function Places({ held }: { readonly held: HeldData }) {
  const t = useTexts('privacy')
  const places = listHeldData(held, t)
  return (
    <section className="b-card" aria-labelledby="privacy-held">
      <header className="flex flex-wrap items-baseline gap-x-2 border-b border-line px-4.5 py-3">
        <h2 id="privacy-held" className="b-card-title">
          {t('held')}
        </h2>
        <span className="flex-1 text-small text-muted">{t('checked', { count: places.length })}</span>
        <span className="text-small text-muted max-sm:hidden">{t('ifErased')}</span>
      </header>
      <ul className="m-0 list-none p-0">
        {places.map(place => (
          <PlaceRow key={place.id} place={place} />
        ))}
      </ul>
    </section>
  )
}

const ICONS = { goes: Check, stays: Lock, later: Clock } as const
const COLORS: Readonly<Record<ErasureFate, string>> = { goes: 'text-ok', stays: 'text-ink', later: 'text-text-2' }

function PlaceRow({ place: { id, icon, fate, says } }: { readonly place: HeldDataRow }) {
  const t = useTexts('privacy')
  return (
    <li className="grid items-center gap-x-4 gap-y-0.5 border-t border-line px-4.5 py-2.5 text-cell first:border-t-0 max-sm:grid-cols-[1.25rem_minmax(0,1fr)] sm:grid-cols-[1.25rem_9.5rem_minmax(0,1fr)_minmax(0,12.5rem)]">
      <Icon of={icon} size={20} className="text-text-2" />
      <strong className="font-semibold text-ink">{t(`place.${id}.name`)}</strong>
      <span className="text-text-2 max-sm:col-start-2">{says}</span>
      <span className={`flex items-center gap-1.5 max-sm:col-start-2 ${COLORS[fate]}`}>
        <Icon of={ICONS[fate]} size={16} className="flex-none" />
        {t(`place.${id}.fate`)}
      </span>
    </li>
  )
}
