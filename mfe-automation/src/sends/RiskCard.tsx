import type { RiskCause, SendPreview } from '@balcao/contract'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Card, Icon, joinClasses, Switch, useNow } from '@balcao/ui/parts'
import type { Form } from '@balcao/ui/screens'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SendFields } from './form.ts'
import type { SendOutlook } from './use-preview.ts'
import { formatWhen } from './words.ts'

interface RiskCardProps {
  readonly form: Form<SendFields>
  readonly outlook: SendOutlook
  /** Which connection it goes by, where there are several. */
  readonly children: ReactNode
}

const MINUTE_MS = 60_000

/** How fast it goes, when it ends, how risky it is, and what would lower that (decisions §15). */
export function RiskCard({ form, outlook: { preview }, children }: RiskCardProps) {
  const t = useTexts('sends')
  const now = new Date(useNow(MINUTE_MS))
  const { onlyWorkingHours, onlyWhoWrote } = form.fields
  return (
    <Card className="p-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <section className="grid content-start gap-2" aria-label={t('pace.title')}>
          <h2 className="m-0 text-card font-semibold">{t('pace.title')}</h2>
          {children}
          {preview && <Pace preview={preview} now={now} />}
          <Switch label={t('onlyHours')} checked={onlyWorkingHours} onChange={on => form.set('onlyWorkingHours', on)} />
          <Switch label={t('onlyWrote')} checked={onlyWhoWrote} onChange={on => form.set('onlyWhoWrote', on)} />
        </section>
        <section id={RISK_ID} className="grid content-start gap-2" aria-label={t('risk.title')}>
          <div className="flex items-baseline justify-between gap-3">
            <h2 className="m-0 text-card font-semibold">{t('risk.title')}</h2>
            {preview && <b className="text-body font-semibold">{t(`risk.level.${preview.risk.level}`)}</b>}
          </div>
          {preview ? (
            <Risk form={form} preview={preview} />
          ) : (
            <p className="m-0 text-cell text-muted">{t('risk.open')}</p>
          )}
        </section>
      </div>
    </Card>
  )
}

function Pace({ preview: { pace, endsAt, count }, now }: { readonly preview: SendPreview; readonly now: Date }) {
  const t = useTexts('sends')
  const { seconds, perDay, warmUp } = pace
  return (
    <>
      <p className="m-0 text-body font-semibold">
        {t('pace.each', { seconds: formatNumber(Math.round(seconds)) })}
        {count > 0 && ` · ${endsAt ? t('state.ends', { when: formatWhen(endsAt, t, now) }) : t('pace.never')}`}
      </p>
      <p className="m-0 text-small text-text-2">
        {t('pace.varies')} {perDay !== null && t(warmUp ? 'pace.warmUp' : 'pace.perDay', { count: perDay })}
      </p>
    </>
  )
}

/** How risky it is, beside what sends it; leads to why. */
export function RiskMark({ level }: { readonly level: number }) {
  const t = useTexts('sends')
  return (
    <a
      href={`#${RISK_ID}`}
      className={joinClasses(
        'b-link flex flex-none items-center gap-1.5 text-cell font-semibold',
        level > 3 ? 'text-danger' : 'text-text-2',
      )}
      onClick={event => {
        event.preventDefault()
        document.getElementById(RISK_ID)?.scrollIntoView({ block: 'center' })
      }}
    >
      {level > 3 && <Icon of={TriangleAlert} size={14} />}
      {t('risk.short', { level: t(`risk.level.${level}`).toLowerCase() })}
    </a>
  )
}

const RISK_ID = 'send-risk'
const STEPS = [1, 2, 3, 4, 5]

function Risk({
  form,
  preview: { risk, count, wrote },
}: {
  readonly form: Form<SendFields>
  readonly preview: SendPreview
}) {
  const t = useTexts('sends')
  return (
    <>
      <span className="flex gap-1" aria-hidden="true">
        {STEPS.map(step => (
          <i
            key={step}
            className={joinClasses(
              'h-1.5 flex-1 rounded-full',
              step > risk.level ? 'bg-line' : risk.level > 3 ? 'bg-danger' : 'bg-primary',
            )}
          />
        ))}
      </span>
      {count > 0 && (
        <p className="m-0 text-small text-text-2">{t('risk.wrote', { percent: Math.round((wrote / count) * 100) })}</p>
      )}
      <ul className="m-0 grid list-none gap-1 p-0 text-small leading-6 text-text-2">
        {risk.causes.map(({ code, params }) => (
          <li key={code}>
            {t(`risk.cause.${code}`, params)} <Remedy form={form} code={code} />
          </li>
        ))}
      </ul>
      <p className="m-0 text-small text-muted">{t('risk.stops')}</p>
    </>
  )
}

/** What would lower it: a click, or else what to do. */
function Remedy({ form, code }: { readonly form: Form<SendFields>; readonly code: RiskCause }) {
  const t = useTexts('sends')
  const remedies: Partial<Record<RiskCause, Partial<SendFields>>> = {
    never_wrote: { onlyWhoWrote: true },
    odd_hour: { onlyWorkingHours: true },
    no_way_out: { wayOut: true },
    all_contacts: { recipients: { by: 'tags', contacts: [], tagIds: [] } },
  }
  const change = remedies[code]
  if (!change) return t(`risk.remedy.${code}`)
  return (
    <button type="button" className="b-link" onClick={() => form.change(change)}>
      {t(`risk.remedy.${code}`)}
    </button>
  )
}
