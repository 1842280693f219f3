import type { CheckUp, Finding } from '@balcao/contract'
import { saidOf } from '@balcao/contract/finding-words'
import { api } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { addTexts, currentLanguage, errorText, formatTime, hasText, type Texts, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, ErrorState, Icon, Page, RowSkeletons } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import {
  BellRing,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  Cpu,
  Database,
  FlaskConical,
  Folder,
  Globe,
  ListOrdered,
  type LucideIcon,
  Plug,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/doctor/pt.json'

addTexts('doctor', {
  pt,
  en: () => import('../../locales/doctor/en.json'),
  es: () => import('../../locales/doctor/es.json'),
})

const AREAS: readonly (readonly [Finding['area'], LucideIcon])[] = [
  ['database', Database],
  ['files', Folder],
  ['machine', Cpu],
  ['connections', Plug],
  ['queues', ListOrdered],
  ['push', BellRing],
  ['hosts', Globe],
  ['assumptions', FlaskConical],
]

/** How the installation is doing: what is wrong first, each with what to do; the rest folded away by area. */
export default function DoctorPage() {
  const t = useTexts('doctor')
  const { now, last, error, again } = useAsked('doctor', signal => api('GET /doctor', { signal }))
  const checkUp = now ?? last
  const isAsking = now === null && error === null
  return (
    <Page
      title={t('title')}
      intro={checkUp ? summaryOf(checkUp, t) : t('intro')}
      actions={
        <Button icon={RefreshCw} busy={isAsking} onClick={again}>
          {t('again')}
        </Button>
      }
    >
      {checkUp ? (
        <div className="grid max-w-[744px] grid-cols-[minmax(0,1fr)] gap-3">
          {error !== null && (
            <Banner kind="danger" icon={TriangleAlert}>
              {t('againFailed', { why: errorText(error) })}
            </Banner>
          )}
          <Findings checkUp={checkUp} />
        </div>
      ) : error === null ? (
        <RowSkeletons rows={8} />
      ) : (
        <ErrorState title={t('failed')} text={errorText(error)} onRetry={again} />
      )}
    </Page>
  )
}

function summaryOf({ findings, checkedAt, tookMs, version }: CheckUp, t: Texts): string {
  const wrong = findings.filter(({ level }) => level === 'danger' || level === 'warning').length
  const said = wrong === 0 ? t('allWell') : t('wrong', { count: wrong })
  return `${said} ${t('checked', { at: formatTime(checkedAt), seconds: Math.max(1, Math.round(tookMs / 1000)), version })}`
}

function Findings({ checkUp }: { readonly checkUp: CheckUp }) {
  const t = useTexts('doctor')
  const of = (wanted: Finding['level']) => checkUp.findings.filter(({ level }) => level === wanted)
  const wrong = [...of('danger'), ...of('warning')]
  return (
    <>
      {wrong.length > 0 && (
        <section className="b-card" aria-labelledby="doctor-todo">
          <header className="b-card-head">
            <h2 id="doctor-todo" className="b-card-title">
              {t('todo')}
            </h2>
          </header>
          <Rows findings={wrong} />
        </section>
      )}
      {AREAS.map(([area, icon]) => (
        <Area key={area} area={area} icon={icon} findings={checkUp.findings.filter(each => each.area === area)} />
      ))}
    </>
  )
}

interface AreaProps {
  readonly area: Finding['area']
  readonly icon: LucideIcon
  readonly findings: readonly Finding[]
}

function Area({ area, icon, findings }: AreaProps) {
  const t = useTexts('doctor')
  const [isOpen, setOpen] = useState(area === 'assumptions')
  const [first] = findings
  if (!first) return null
  return (
    <section className="b-card" aria-labelledby={`doctor-${area}`}>
      <h2 className="m-0">
        <button
          type="button"
          id={`doctor-${area}`}
          aria-expanded={isOpen}
          className="flex w-full cursor-pointer items-center gap-3 rounded-card px-4.5 py-3 text-left hover:bg-hover"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={icon} className="flex-none text-text-2" />
          <span className="flex-1 text-card font-semibold text-ink">{t(`area.${area}`)}</span>
          <Level level={first.level} />
          <span className="text-small text-text-2">{t(`level.${first.level}`)}</span>
        </button>
      </h2>
      {isOpen && (
        <div className="border-t border-line">
          <Rows findings={findings} />
        </div>
      )}
    </section>
  )
}

function Rows({ findings }: { readonly findings: readonly Finding[] }) {
  const t = useTexts('doctor')
  return (
    <ul className="m-0 list-none p-0">
      {findings.map((finding, index) => {
        const { what, todo } = saidOf(finding, {
          language: currentLanguage(),
          has: key => hasText('doctor', key),
          say: t,
        })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings stand in one order until they are asked for anew
          <li key={index} className="flex gap-3 border-t border-line px-4.5 py-2.5 first:border-t-0">
            <Level level={finding.level} />
            <span className="min-w-0 flex-1 text-cell">
              <span className="block break-words text-ink">{what}</span>
              {todo !== null && <span className="block break-words text-text-2">{todo}</span>}
            </span>
            {finding.code.startsWith('connection.') && finding.level !== 'ok' && (
              <Link to="/connections" className="flex-none text-cell font-semibold text-primary-text">
                {t('open')}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const LEVELS: Readonly<Record<Finding['level'], readonly [LucideIcon, string]>> = {
  danger: [CircleX, 'text-danger'],
  warning: [TriangleAlert, 'text-brass-text'],
  unknown: [CircleQuestionMark, 'text-muted'],
  ok: [CircleCheck, 'text-ok'],
}

function Level({ level }: { readonly level: Finding['level'] }) {
  const t = useTexts('doctor')
  const [icon, color] = LEVELS[level]
  return <Icon of={icon} label={t(`level.${level}`)} className={`flex-none ${color}`} />
}
