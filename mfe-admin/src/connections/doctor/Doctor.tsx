import type { Connection } from '@balcao/contract'
import { listConnectionOffers } from '@balcao/contract/connections/connection-actions'
import { type Diagnosis, diagnoseConnection } from '@balcao/contract/connections/doctor'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, Drawer, ErrorState, Ring, useNarrowerThan, useNow } from '@balcao/ui/parts'
import { RefreshCw } from 'lucide-react'
import { type ConnectionPage, getConnectionAction } from '../actions.ts'
import { OfferButton } from '../Offers.tsx'
import { describeTrouble, formatCountdown, formatSince } from '../trouble.ts'
import { Chain } from './Chain.tsx'
import { Facts, Risk } from './Figures.tsx'
import { History } from './History.tsx'
import { type HealthReport, useHealth } from './use-health.ts'
import { describeDurationSince, describeRemainingLinks } from './words.ts'

interface DoctorProps {
  readonly connection: Connection
  readonly desk: ConnectionPage
}

/** How a connection is doing, beside the list: what happened, where the chain is broken, what is at risk, what to do (decisions-2 §17). */
export function Doctor({ connection, desk }: DoctorProps) {
  const t = useTexts('connections')
  const isNarrow = useNarrowerThan('wide')
  const now = useNow(1000)
  const health = useHealth(connection)
  const examined = health.now ?? health.last
  const isUp = connection.status === 'CONNECTED'
  return (
    <Drawer
      title={t(isUp ? 'doctor.titleUp' : 'doctor.title', { name: connection.name })}
      onClose={() => desk.examine(null)}
      width={isNarrow ? 560 : 640}
      over={isNarrow}
      tools={
        <>
          {examined && (
            <span className="text-small text-muted max-sm:hidden">
              {t('doctor.checked', { seconds: Math.max(0, Math.round((now - examined.at) / 1000)) })}
            </span>
          )}
          <Button kind="plain" icon={RefreshCw} onClick={health.again}>
            {t('doctor.again')}
          </Button>
        </>
      }
    >
      {examined ? (
        <Findings {...{ connection, desk, examined, now }} />
      ) : health.error ? (
        <ErrorState title={t('doctor.failed')} text={describeError(health.error)} onRetry={health.again} />
      ) : null}
    </Drawer>
  )
}

interface FindingsProps extends DoctorProps {
  readonly examined: HealthReport
  readonly now: number
}

function Findings({ connection, desk, examined, now }: FindingsProps) {
  const { health } = examined
  const diagnosis = diagnoseConnection(connection.api, health)
  return (
    <>
      <Head {...{ connection, desk, examined, now, diagnosis }} />
      <Risk connection={connection} health={health} />
      <Facts connection={connection} health={health} now={now} />
      <Steps {...{ connection, desk, diagnosis, now }} />
      <History health={health} now={now} />
    </>
  )
}

const SECTION = 'border-b border-line px-5 py-3.5'

function Head({ connection, desk, examined, now, diagnosis }: FindingsProps & { readonly diagnosis: Diagnosis }) {
  const t = useTexts('connections')
  const { health } = examined
  const description = describeTrouble(connection, t, now)
  const [first] = listConnectionOffers(connection).filter(offer => offer !== 'disconnect')
  const long = describeDurationSince(health.since, now, t)
  const sub = [long && `${long}.`, describeRemainingLinks(diagnosis, t) ?? (description ? null : t('doctor.flows'))]
    .filter(Boolean)
    .join(' ')
  return (
    <section className={SECTION} aria-labelledby="doctor-sentence">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <div className="min-w-0 flex-1 basis-60">
          <h3 id="doctor-sentence" className="m-0 text-dialog font-semibold text-ink">
            {description?.sentence ?? t(`doctor.now.${connection.status}`, { since: formatSince(health.since, now) })}
          </h3>
          {sub && <p className="m-0 text-body text-text-2">{sub}</p>}
        </div>
        {first && first !== 'connecting' && (
          <OfferButton action={getConnectionAction(first)} connection={connection} desk={desk} kind="primary" />
        )}
      </div>
      <Chain diagnosis={diagnosis} connection={connection} examined={examined} />
    </section>
  )
}

interface StepsProps extends DoctorProps {
  readonly diagnosis: Diagnosis
  readonly now: number
}

/** What a person can do now, in order, and when the desk tries again by itself. */
function Steps({ connection, desk, diagnosis, now }: StepsProps) {
  const t = useTexts('connections')
  const { trouble, status } = connection
  const next = status !== 'CONNECTED' && trouble?.next === 'retry' && trouble.nextTryAt
  const left = next ? Date.parse(next) - now : 0
  const [first] = listConnectionOffers(connection)
  if (diagnosis.steps.length === 0) return null
  return (
    <section className={SECTION} aria-labelledby="doctor-steps">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id="doctor-steps" className="m-0 text-cell font-semibold text-ink">
          {t('doctor.todo')}
        </h3>
        {next && (
          <p className="m-0 flex items-center gap-1.5 text-small text-text-2" role="timer" aria-live="off">
            <Ring share={Math.min(1, left / 60_000)} />
            {left > 0
              ? t('doctor.retry', { left: formatCountdown(left), attempt: (trouble?.attempt ?? 0) + 1 })
              : t('trouble.next.now')}
          </p>
        )}
      </div>
      <ol className="m-0 mt-2.5 grid list-none gap-2.5 p-0">
        {diagnosis.steps.map(({ step, offer }, index) => (
          <li key={step} className="flex items-center gap-3 text-body text-ink">
            <span
              aria-hidden="true"
              className="grid size-[22px] flex-none place-items-center rounded-full bg-primary-tint text-tag font-semibold text-primary-text"
            >
              {index + 1}
            </span>
            <span className="min-w-0 flex-1">{t(`doctor.step.${step}`, { percent: connection.battery ?? 0 })}</span>
            {offer && offer !== 'connecting' && offer !== first && (
              <OfferButton action={getConnectionAction(offer)} connection={connection} desk={desk} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
