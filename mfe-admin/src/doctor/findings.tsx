// Findings of the doctor as the page draws them.
import type { Finding } from '@balcao/contract'
import { describeFinding, type FindingDescription } from '@balcao/contract/doctor/finding-texts'
import { getLanguage, hasText, type Texts, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { CircleCheck, CircleQuestionMark, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export function isWrong({ level }: Finding): boolean {
  return level === 'danger' || level === 'warning'
}

/** What it is and what to do, in the reader's language. */
export function describeShownFinding(finding: Finding, t: Texts): FindingDescription {
  return describeFinding(finding, { language: getLanguage(), has: key => hasText('doctor', key), say: t })
}

interface FindingRowProps {
  readonly level: Finding['level']
  readonly sentence: string
  readonly todo: string | null
  readonly children?: ReactNode
}

export function FindingRow({ level, sentence, todo, children }: FindingRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4.5 py-2.5 first:border-t-0">
      <Level level={level} />
      <span className="min-w-0 flex-1 basis-56 text-cell">
        <span className="block break-words text-ink">{sentence}</span>
        {todo !== null && <span className="block break-words text-text-2">{todo}</span>}
      </span>
      {children}
    </li>
  )
}

const LEVELS: Readonly<Record<Finding['level'], readonly [LucideIcon, string]>> = {
  danger: [CircleX, 'text-danger'],
  warning: [TriangleAlert, 'text-brass-text'],
  unknown: [CircleQuestionMark, 'text-muted'],
  ok: [CircleCheck, 'text-ok'],
}

export function Level({ level }: { readonly level: Finding['level'] }) {
  const t = useTexts('doctor')
  const [icon, color] = LEVELS[level]
  return <Icon of={icon} label={t(`level.${level}`)} className={`flex-none ${color}`} />
}
