import type { Connection } from '@balcao/contract'
import { type ChainLink, type Diagnosis, LINKS, type LinkState } from '@balcao/contract/connections/doctor'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, joinClasses } from '@balcao/ui/parts'
import { Cloud, type LucideIcon, Server, Smartphone, Waypoints } from 'lucide-react'
import type { HealthReport } from './use-health.ts'
import { describeLink } from './words.ts'

const ICONS: Readonly<Record<ChainLink, LucideIcon>> = {
  desk: Server,
  bridge: Waypoints,
  whatsapp: Cloud,
  phone: Smartphone,
}
const SQUARES: Readonly<Record<LinkState, string>> = {
  ok: 'bg-ok-tint text-ok',
  waits: 'bg-brass-tint text-brass-text',
  broken: 'bg-danger-tint text-danger',
  unknown: 'bg-sunken text-text-2',
}
const LINES: Readonly<Record<LinkState, string>> = {
  ok: 'border-ok',
  waits: 'border-dashed border-brass-text',
  broken: 'border-dashed border-danger',
  unknown: 'border-dashed border-line-strong',
}
const WORDS: Readonly<Record<LinkState, string>> = {
  ok: 'text-text-2',
  waits: 'text-brass-text',
  broken: 'text-danger',
  unknown: 'text-muted',
}

interface ChainProps {
  readonly diagnosis: Diagnosis
  readonly connection: Connection
  readonly examined: HealthReport
}

/** From the desk to the phone, four links; the way to the one that is broken is dashed. */
export function Chain({ diagnosis, connection, examined }: ChainProps) {
  const t = useTexts('connections')
  return (
    <ol className="m-0 mt-4 grid list-none grid-cols-4 p-0" aria-label={t('doctor.chain')}>
      {LINKS.map((link, index) => {
        const state = diagnosis.links[link]
        const [name, words] = describeLink(link, diagnosis, connection, examined, t)
        return (
          <li key={link} className="relative grid content-start justify-items-center gap-1.5 px-1 text-center">
            {index > 0 && (
              <span
                aria-hidden="true"
                className={joinClasses(
                  'absolute top-[19px] right-[calc(50%+26px)] left-[calc(-50%+26px)] border-t-2',
                  LINES[state],
                )}
              />
            )}
            <span
              aria-hidden="true"
              className={joinClasses('grid size-10 place-items-center rounded-item', SQUARES[state])}
            >
              <Icon of={ICONS[link]} size={20} />
            </span>
            <span>
              <strong
                className={joinClasses(
                  'block text-cell font-semibold',
                  state === 'broken' ? 'text-danger' : 'text-ink',
                )}
              >
                {name}
              </strong>
              <span className={joinClasses('block text-small', WORDS[state])}>{words}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
