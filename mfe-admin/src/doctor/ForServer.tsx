import type { CheckUp, Finding } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText, Icon } from '@balcao/ui/parts'
import {
  BellRing,
  ChevronRight,
  Copy,
  Cpu,
  Database,
  FlaskConical,
  Folder,
  Globe,
  ListOrdered,
  type LucideIcon,
  Plug,
  Server,
  Store,
} from 'lucide-react'
import { useState } from 'react'
import { describeShownFinding, FindingRow, isWrong, Level } from './findings.tsx'
import { formatReport } from './report.ts'

const AREAS: readonly (readonly [Finding['area'], LucideIcon])[] = [
  ['company', Store],
  ['database', Database],
  ['files', Folder],
  ['machine', Cpu],
  ['connections', Plug],
  ['queues', ListOrdered],
  ['push', BellRing],
  ['hosts', Globe],
  ['assumptions', FlaskConical],
]

interface ForServerProps {
  readonly checkUp: CheckUp
  readonly findings: readonly Finding[]
}

/** What needs whoever runs the server, folded: what is wrong first, then area by area. */
export function ForServer({ checkUp, findings }: ForServerProps) {
  const t = useTexts('doctor')
  const [isOpen, setOpen] = useState(false)
  const wrong = findings.filter(isWrong)
  const count = wrong.length
  return (
    <section aria-labelledby="doctor-server">
      <div className="b-card flex flex-wrap items-center gap-x-3 gap-y-1 pr-4.5 max-sm:pb-3">
        <h2 className="m-0 min-w-0 flex-1 basis-72">
          <button
            type="button"
            id="doctor-server"
            aria-expanded={isOpen}
            className="flex w-full cursor-pointer items-center gap-3 rounded-card px-4.5 py-3.5 text-left hover:bg-hover"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of={ChevronRight} className={`flex-none text-text-2 ${isOpen ? 'rotate-90' : ''}`} />
            <Icon of={Server} className="flex-none text-text-2" />
            <span className="min-w-0 flex-1">
              <span className="block text-card font-semibold text-ink">{t('server')}</span>
              <span className="block text-small text-text-2">
                {count === 0 ? t('serverWell') : t('serverWrong', { count })}
              </span>
            </span>
          </button>
        </h2>
        <Button
          kind="plain"
          icon={Copy}
          className="max-sm:ml-3"
          onClick={() => void copyText(formatReport(checkUp, t))}
        >
          {t('copy')}
        </Button>
      </div>
      {isOpen && (
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
          {count > 0 && (
            <div className="b-card">
              <Rows findings={wrong} />
            </div>
          )}
          {AREAS.map(([area, icon]) => (
            <Area key={area} area={area} icon={icon} findings={findings.filter(each => each.area === area)} />
          ))}
        </div>
      )}
    </section>
  )
}

interface AreaProps {
  readonly area: Finding['area']
  readonly icon: LucideIcon
  readonly findings: readonly Finding[]
}

function Area({ area, icon, findings }: AreaProps) {
  const t = useTexts('doctor')
  const [isOpen, setOpen] = useState(false)
  const [first] = findings
  if (!first) return null
  return (
    <section className="b-card" aria-labelledby={`doctor-${area}`}>
      <h3 className="m-0">
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
      </h3>
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
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings stand in one order until they are asked for anew
        <FindingRow key={index} level={finding.level} {...describeShownFinding(finding, t)} />
      ))}
    </ul>
  )
}
