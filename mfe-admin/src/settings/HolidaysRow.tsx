import { listHolidays } from '@balcao/contract/calendar/holidays'
import { type CompanyHoliday, parseKnownSettings } from '@balcao/contract/settings/settings'
import { makeId } from '@balcao/ui/browser'
import { useTexts } from '@balcao/ui/i18n'
import { Checkbox, Field, IconButton, TextInput } from '@balcao/ui/parts'
import { RowsField, SettingRow } from '@balcao/ui/screens'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { DraftButtons } from './DraftButtons.tsx'
import { keepDrafts, useStoredDraft } from './drafts.ts'
import { type OwnDay, toHolidayDates, withIds } from './own-days.ts'
import { type RowProps, useRowWords } from './row.ts'
import { useDraft } from './use-draft.ts'

/** As they are written, also those that are not whole yet. */
const days = keepDrafts<readonly OwnDay[] | null>()

/** The company's own holidays, and the calendar of a year with the national ones (decisions-2 §12). */
export function HolidaysRow(props: RowProps) {
  const { desk } = props
  const t = useTexts('settings')
  const words = useRowWords(props)
  const draft = useDraft(props)
  const [rows, setRows] = useStoredDraft(days, 'rows', null)
  const stored = desk.now.holidayDates
  const shown = rows && draft.isChanged ? rows : withIds(stored)

  function change(next: readonly OwnDay[]) {
    setRows(next)
    draft.change('holidayDates', toHolidayDates(next))
  }

  const fault = draft.faults.holidayDates
  return (
    <SettingRow
      {...words}
      below={
        <div className="grid gap-3">
          <RowsField
            label={words.name}
            rows={shown}
            onChange={change}
            nameOf={day => day.name || day.date}
            add={{
              label: t('holiday.add'),
              make: () => ({ id: makeId(), date: '', name: '', yearly: true, open: false }),
            }}
            draw={(day, put) => (
              <div className="flex flex-wrap items-end gap-2">
                <Field label={t('holiday.date')}>
                  <TextInput type="date" className="w-40" value={day.date} onChange={date => put({ date })} />
                </Field>
                <Field label={t('holiday.name')} className="min-w-40 flex-1">
                  <TextInput value={day.name} maxLength={100} autoComplete="off" onChange={name => put({ name })} />
                </Field>
                <span className="flex min-h-9.5 items-center gap-4">
                  <Checkbox checked={day.yearly} onChange={yearly => put({ yearly })}>
                    {t('holiday.yearly')}
                  </Checkbox>
                  <Checkbox checked={day.open} onChange={open => put({ open })}>
                    {t('holiday.open')}
                  </Checkbox>
                </span>
              </div>
            )}
          />
          {fault && (
            <p className="m-0 text-small text-danger" role="alert">
              {fault}
            </p>
          )}
          {draft.isChanged && (
            <span className="flex justify-end">
              <DraftButtons draft={draft} onSave={() => draft.save()} />
            </span>
          )}
          <Year
            optional={desk.now.optionalHolidays}
            own={parseKnownSettings({ holidayDates: draft.value('holidayDates') }).holidayDates ?? stored}
          />
        </div>
      }
    />
  )
}

/** All holidays of a year, computed and own, as the server takes them. */
function Year({ optional, own }: { readonly optional: boolean; readonly own: readonly CompanyHoliday[] }) {
  const t = useTexts('settings')
  const [year, setYear] = useState(() => new Date().getFullYear())
  const days = listHolidays(year, { optionalHolidays: optional, holidayDates: own })
  return (
    <div className="rounded-field bg-hover px-3 py-2">
      <div className="flex items-center gap-1">
        <strong className="mr-auto text-cell font-semibold text-text-2" aria-live="polite">
          {t('holiday.year', { id: year })}
        </strong>
        <IconButton
          icon={ChevronLeft}
          size="small"
          label={t('holiday.before', { id: year - 1 })}
          onClick={() => setYear(year - 1)}
        />
        <IconButton
          icon={ChevronRight}
          size="small"
          label={t('holiday.after', { id: year + 1 })}
          onClick={() => setYear(year + 1)}
        />
      </div>
      <ul className="m-0 grid list-none gap-x-6 p-0 text-small text-text-2 sm:grid-cols-2">
        {days.map(({ date, code, name, open }) => (
          <li key={date} className="flex gap-2 py-0.5">
            <span className="w-10 flex-none tabular-nums">{`${date.slice(8)}/${date.slice(5, 7)}`}</span>
            <span className={open ? 'text-muted line-through' : undefined}>
              {name || (code && t(`holiday.code.${code}`))}
            </span>
            {open && <span className="text-muted">{t('holiday.worked')}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
