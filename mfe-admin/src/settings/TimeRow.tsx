import { parseKnownSettings, type SettingKey } from '@balcao/contract/settings/settings'
import { useTexts } from '@balcao/ui/i18n'
import { Field, TextInput } from '@balcao/ui/parts'
import { CheckChips, SettingRow } from '@balcao/ui/screens'
import { DraftButtons } from './DraftButtons.tsx'
import { DAYS } from './items.ts'
import { type RowProps, useRowWords } from './row.ts'
import { useDraft } from './use-draft.ts'

/** Two times of day, saved together: neither is, while one is wrong (spec 2 §5). */
export function TimeRow(props: RowProps) {
  const { item } = props
  const t = useTexts('settings')
  const words = useRowWords(props)
  const draft = useDraft(props)
  const [from = 'horarioAbertura', to = 'horarioFechamento'] = item.keys
  const fact = order(item.id, draft.value(from), draft.value(to))
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        draft.save()
      }}
    >
      <SettingRow
        {...words}
        below={
          <div className="flex flex-wrap items-start gap-3">
            {item.keys.map(key => (
              <Field key={key} label={t(`time.${key}`)} error={draft.faults[key] ?? null}>
                <TextInput
                  type="time"
                  className="w-36"
                  value={draft.value(key)}
                  onChange={text => draft.change(key, text)}
                />
              </Field>
            ))}
            <span className="flex min-h-9.5 flex-1 items-center gap-3 self-end text-small text-muted">
              <span role="status">{fact && t(fact)}</span>
              <span className="ml-auto">
                <DraftButtons draft={draft} />
              </span>
            </span>
          </div>
        }
      />
    </form>
  )
}

/** What two times in this order mean (decisions-2 §22 "Time"). */
function order(id: string, from: string, to: string): string | null {
  if (from === '' || to === '') return null
  if (id === 'hours') return to < from ? 'time.nextDay' : to === from ? 'time.allDay' : null
  return to <= from ? 'time.noLunch' : null
}

/** The days that are worked; each is saved as it is chosen. */
export function DaysRow(props: RowProps) {
  const { desk } = props
  const t = useTexts('settings')
  const words = useRowWords(props)
  const now = parseKnownSettings(Object.fromEntries(DAYS.map(day => [day, desk.text(day)])))
  const on = DAYS.filter(day => now[day])
  return (
    <SettingRow
      {...words}
      below={
        <div className="[&_legend]:sr-only">
          <CheckChips<SettingKey>
            label={words.name}
            options={DAYS.map(value => ({ value, label: t(`day.${value}`) }))}
            value={on}
            onChange={days => {
              const changed = DAYS.find(day => days.includes(day) !== on.includes(day))
              if (changed) void desk.save({ [changed]: days.includes(changed) ? 'enabled' : 'disabled' })
            }}
          />
        </div>
      }
    />
  )
}
