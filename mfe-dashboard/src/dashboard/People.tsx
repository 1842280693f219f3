import { type Texts, useTexts } from '@balcao/ui/i18n'
import { Avatar, Button, IconButton, StatusPill, useNarrowerThan } from '@balcao/ui/parts'
import { type Column, DataCards, DataTable } from '@balcao/ui/screens'
import { ChevronRight } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { ThinBar } from '../charts/Chart.tsx'
import type { PersonNumbers } from './numbers.ts'
import { PersonDialog } from './PersonDialog.tsx'
import { Stars } from './Stars.tsx'

const PRESENCE = { online: 'ok', away: 'waiting', offline: 'quiet' } as const

interface PeopleProps {
  readonly people: readonly PersonNumbers[]
  readonly queueId: number | null
}

/** Everybody with what they serve, closed and were given (spec 1 §2); the busiest first. */
export function People({ people, queueId }: PeopleProps) {
  const t = useTexts('dashboard')
  const [chosen, setChosen] = useState<PersonNumbers | null>(null)
  const opener = useRef<HTMLButtonElement | null>(null)
  const phone = useNarrowerThan('phone')
  const [isWhole, setWhole] = useState(false)
  const rows = useMemo(
    () =>
      people
        .toSorted(
          (one, other) => other.open - one.open || other.closed - one.closed || one.name.localeCompare(other.name),
        )
        .map((person, n) => ({ ...person, version: 1, place: n + 1 })),
    [people],
  )
  const most = Math.max(1, ...people.map(({ open }) => open))
  const columns: Column<(typeof rows)[number]>[] = [
    { id: 'place', width: 'w-12', cell: ({ place }) => place },
    {
      id: 'name',
      width: 'w-[28%]',
      cell: person => (
        <span className="flex min-w-0 items-center gap-2.5 font-semibold text-ink">
          <Avatar id={person.id} name={person.name} photo={person.profilePicUrl} size={28} />
          <bdi className="truncate" title={person.name}>
            {person.name}
          </bdi>
        </span>
      ),
    },
    {
      id: 'status',
      cell: ({ status, active }) =>
        active ? <StatusPill kind={PRESENCE[status]}>{t(`presence.${status}`)}</StatusPill> : t('presence.inactive'),
    },
    { id: 'open', cell: ({ open }) => <Load open={open} most={most} /> },
    { id: 'closed', figures: true, width: 'w-28', cell: ({ closed }) => String(closed) },
    { id: 'rating', cell: ({ rating }) => <Stars value={rating.average} /> },
  ]
  function see(person: PersonNumbers, button: HTMLButtonElement) {
    opener.current = button
    setChosen(person)
  }

  return (
    <>
      {phone ? (
        <section aria-label={t('people')} className="grid gap-2">
          <div className="flex min-h-11 items-center justify-between gap-2">
            <h2 className="m-0 text-cell font-semibold text-ink">{t('people')}</h2>
            {rows.length > FIRST && !isWhole && (
              <Button size="small" kind="plain" onClick={() => setWhole(true)}>
                {t('seeAll', { count: rows.length })}
              </Button>
            )}
          </div>
          <DataCards
            label={t('people')}
            rows={isWhole ? rows : rows.slice(0, FIRST)}
            cardOf={person => ({
              before: <Avatar id={person.id} name={person.name} photo={person.profilePicUrl} size={44} />,
              title: person.name,
              text: `${t('openNow', { count: person.open })} · ${describePresence(person, t)}`,
            })}
            actionsOf={person => (
              <span className="flex shrink-0 items-center gap-1 text-cell">
                <Stars value={person.rating.average} />
                <IconButton
                  icon={ChevronRight}
                  label={t('seeTicketsOf', { name: person.name })}
                  onClick={event => see(person, event.currentTarget)}
                />
              </span>
            )}
          />
        </section>
      ) : (
        <DataTable
          label={t('people')}
          rows={rows}
          columns={columns}
          headOf={id => t(`column.${id}`)}
          nameOf={({ name }) => name}
          isWide
          actionsOf={person => (
            <Button
              size="small"
              kind="plain"
              className="b-no-print"
              aria-label={t('seeTicketsOf', { name: person.name })}
              onClick={event => see(person, event.currentTarget)}
            >
              {t('seeTickets')}
            </Button>
          )}
        />
      )}
      {chosen && <PersonDialog person={chosen} queueId={queueId} anchor={opener} onClose={() => setChosen(null)} />}
    </>
  )
}

/** Shown on a phone before the others are asked for. */
const FIRST = 3

function describePresence({ active, status }: PersonNumbers, t: Texts): string {
  return active ? t(`presence.${status}`) : t('presence.inactive')
}

function Load({ open, most }: { readonly open: number; readonly most: number }) {
  return (
    <span className="flex items-center gap-3">
      <span className="w-6 text-right font-semibold text-ink">{open}</span>
      <ThinBar share={open / most} className="w-28" />
    </span>
  )
}
