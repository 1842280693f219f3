import { Checkbox } from '@balcao/ui/parts'
import type { ScheduleDraft } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface ChoicesProps {
  readonly draft: ScheduleDraft
  readonly onChange: (change: Partial<ScheduleDraft>) => void
}

/** What is chosen on the page of scheduled sends alone: the first one at once, and only while the company works. */
export function Choices({ draft, onChange }: ChoicesProps) {
  const t = useFormTexts()
  return (
    <>
      {draft.recurrence !== 'once' && (
        <Checkbox checked={draft.firstSend} onChange={firstSend => onChange({ firstSend })}>
          {t('schedule.firstSend')}
        </Checkbox>
      )}
      <Checkbox checked={draft.onlyWorkingHours} onChange={onlyWorkingHours => onChange({ onlyWorkingHours })}>
        {t('schedule.onlyWorkingHours')}
      </Checkbox>
    </>
  )
}
