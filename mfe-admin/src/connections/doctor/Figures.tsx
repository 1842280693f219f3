import type { Connection, ConnectionHealth } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatMoment, useTexts } from '@balcao/ui/i18n'
import { Button, copyText, joinClasses } from '@balcao/ui/parts'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatSince } from '../trouble.ts'

interface FiguresProps {
  readonly connection: Connection
  readonly health: ConnectionHealth
}

/** What is at risk, in three figures: what waits, what nobody knows of, and who depends on it. */
export function Risk({ connection, health }: FiguresProps) {
  const t = useTexts('connections')
  const isUp = connection.status === 'CONNECTED'
  const figures = [
    ['waiting', health.waiting, health.waiting > 0 && isUp],
    ['unsure', health.unsure, health.unsure > 0],
    ['tickets', health.liveTickets, false],
  ] as const
  return (
    <section className="border-b border-line px-5 py-3.5" aria-labelledby="doctor-risk">
      <h3 id="doctor-risk" className="m-0 text-cell font-semibold text-ink">
        {t(isUp ? 'doctor.risk.titleUp' : 'doctor.risk.title')}
      </h3>
      <ul className="m-0 mt-2.5 grid list-none grid-cols-3 divide-x divide-line rounded-card border border-line p-0">
        {figures.map(([name, count, isWarning]) => (
          <li key={name} className="min-w-0 px-3.5 py-2.5 max-sm:px-2.5">
            <strong
              className={joinClasses('block text-page font-semibold', isWarning ? 'text-brass-text' : 'text-ink')}
            >
              {count}
            </strong>
            <span className="block text-small text-text-2">{t(`doctor.risk.${name}`, { count })}</span>
          </li>
        ))}
      </ul>
      {!isUp && <p className="m-0 mt-2 text-small text-text-2">{t('doctor.risk.safe')}</p>}
    </section>
  )
}

/** The facts in one row: when something came and went, restarts, version; the provider's code is copied for a technician. */
export function Facts({ connection, health, now }: FiguresProps & { readonly now: number }) {
  const t = useTexts('connections')
  const { webhook, library } = health
  const when = (at: string | null) => (at ? formatSince(at, now) : t('doctor.fact.never'))
  const facts: [name: string, value: ReactNode][] = [
    ['lastIn', when(health.lastIn)],
    ['lastOut', when(health.lastOut)],
    ['restarts', health.restarts24h],
    ['version', library.known ? t('doctor.fact.broken') : (library.version ?? t('doctor.fact.unknown'))],
  ]
  if (connection.webhookUrl) facts.push(['webhook', when(webhook.lastAt)], ['refused', webhook.refused24h])
  if (health.lagSeconds > 60)
    facts.push(['lag', t('doctor.fact.minutes', { count: Math.round(health.lagSeconds / 60) })])
  if (health.ignoredGroups24h > 0) facts.push(['ignored', health.ignoredGroups24h])
  const [limit] = health.limits
  if (limit?.about) facts.push(['limit', `${limit.about} · ${formatMoment(limit.at)}`])
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-2.5">
      <dl className="m-0 flex flex-wrap gap-x-4 gap-y-1 text-small text-text-2">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1">
            <dt>{t(`doctor.fact.${name}`)}</dt>
            <dd className="m-0 font-semibold text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      {health.reason && (
        <Button
          kind="plain"
          size="small"
          icon={Copy}
          onClick={() => void copyText(formatTechnicalFacts(connection, health))}
        >
          {t('doctor.copy')}
        </Button>
      )}
    </div>
  )
}

type TechnicalFacts = Pick<
  ConnectionHealth,
  'library' | 'reason' | 'code' | 'since' | 'lastIn' | 'lastOut' | 'restarts24h'
>

/** What a technician asks for, in one line: no words for shopkeepers. */
export function formatTechnicalFacts({ name, api, status }: Connection, health: TechnicalFacts): string {
  const { library, reason, code, since, lastIn, lastOut, restarts24h } = health
  return [
    `${name} (${KIND_TABLE[api].label})`,
    `${status} ${reason ?? ''} ${code ?? ''}`.trim(),
    `since ${since}`,
    `in ${lastIn ?? '-'}`,
    `out ${lastOut ?? '-'}`,
    `restarts ${restarts24h}`,
    `${library.name} ${library.version ?? '?'}`,
  ].join(' · ')
}
