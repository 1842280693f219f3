// What a technician is sent: everything that was found, what is wrong first.
import { type CheckUp, FINDING_LEVELS } from '@balcao/contract'
import { formatMoment, type Texts } from '@balcao/ui/i18n'
import { describeShownFinding } from './findings.tsx'

export function formatReport({ findings, checkedAt, version }: CheckUp, t: Texts): string {
  const worstFirst = findings.toSorted(
    (one, other) => FINDING_LEVELS.indexOf(one.level) - FINDING_LEVELS.indexOf(other.level),
  )
  const lines = worstFirst.map(finding => {
    const { sentence, todo } = describeShownFinding(finding, t)
    const { area, level, params } = finding
    const reason = typeof params.reason === 'string' && params.reason !== '' ? ` (${params.reason})` : ''
    return `[${t(`level.${level}`)}] ${t(`area.${area}`)}: ${sentence}${reason}${todo === null ? '' : ` → ${todo}`}`
  })
  return [t('copyHead', { version, at: formatMoment(checkedAt) }), ...lines].join('\n')
}
