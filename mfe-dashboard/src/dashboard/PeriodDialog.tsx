import { toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Field, TextInput } from '@balcao/ui/parts'
import { type RefObject, useState } from 'react'
import { type DatePeriod, USUAL, validateDates } from './filter.ts'

interface PeriodDialogProps {
  readonly dates: DatePeriod
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly onChange: (dates: DatePeriod) => void
  readonly onClose: () => void
}

/** From and to, or one of three usual periods. */
export function PeriodDialog({ dates, anchor, onChange, onClose }: PeriodDialogProps) {
  const t = useTexts('dashboard')
  const [chosen, setChosen] = useState(dates)
  const [tried, setTried] = useState(false)
  const problems = validateDates(chosen)

  function apply(next: DatePeriod) {
    setTried(true)
    if (Object.keys(validateDates(next)).length > 0) return
    onChange(next)
    onClose()
  }

  return (
    <DockedDialog
      anchor={anchor}
      width={360}
      title={t('dates.title')}
      intro={t('dates.intro')}
      onClose={onClose}
      onSubmit={() => apply(chosen)}
      footer={
        <Button kind="primary" type="submit">
          {t('dates.apply')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap gap-2">
          {Object.entries(USUAL).map(([key, of]) => (
            <Button key={key} size="small" onClick={() => apply(of(toCompanyDay(new Date())))}>
              {t(`dates.${key}`)}
            </Button>
          ))}
        </div>
        <div className="grid grid-cols-2 gap-3">
          {(['from', 'to'] as const).map(field => {
            const problem = tried ? problems[field] : undefined
            return (
              <Field key={field} label={t(`dates.${field}`)} error={problem && t(`dates.${problem}`)}>
                <TextInput
                  type="date"
                  value={chosen[field]}
                  max="9999-12-31"
                  onChange={day => setChosen(old => ({ ...old, [field]: day }))}
                />
              </Field>
            )
          })}
        </div>
      </div>
    </DockedDialog>
  )
}
