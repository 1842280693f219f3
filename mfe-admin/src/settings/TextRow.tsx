import { SETTINGS } from '@balcao/contract/settings/settings'
import { useTexts } from '@balcao/ui/i18n'
import { Field, TextArea, TextInput } from '@balcao/ui/parts'
import { MonoChip, SettingRow } from '@balcao/ui/screens'
import { DraftButtons } from './DraftButtons.tsx'
import { type RowProps, useRowWords } from './row.ts'
import { useDraft } from './use-draft.ts'

/** What is filled in when a text is said. */
export const PLACEHOLDERS: Readonly<Record<string, readonly string[]>> = {
  msgOutOfTime: ['ms', 'name', 'date', 'time'],
  mensagemTransfer: ['user', 'queue', 'name'],
}
const SHORT = new Set(['optOutWord', 'uriIframe'])

/** A text that is sent, or an address. Emptied, a text goes back to the default. */
export function TextRow(props: RowProps) {
  const t = useTexts('settings')
  const words = useRowWords(props)
  const draft = useDraft(props)
  const [key = 'msgOutOfTime'] = props.item.keys
  const isShort = SHORT.has(key)
  const chips = PLACEHOLDERS[key] ?? []
  const field = { value: draft.value(key), onChange: (text: string) => draft.change(key, text) }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        draft.save()
      }}
    >
      <SettingRow
        {...words}
        below={
          <Field label={words.name} error={draft.faults[key] ?? null} className="[&_.b-label-line]:sr-only">
            {isShort ? (
              <TextInput {...field} inputMode={key === 'uriIframe' ? 'url' : 'text'} autoComplete="off" />
            ) : (
              <TextArea {...field} maxRows={6} />
            )}
            <span className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
              {chips.length > 0 && (
                <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  {t('insert')}
                  {chips.map(chip => (
                    <button
                      key={chip}
                      type="button"
                      aria-label={`${t('insertOne', { name: chip })}: ${t(`chip.${chip}`)}`}
                      className="flex min-h-6 items-center gap-1.5 rounded-tag hover:bg-hover"
                      onClick={() => draft.change(key, `${field.value}{{${chip}}}`)}
                    >
                      <MonoChip>{`{{${chip}}}`}</MonoChip>
                      {t(`chip.${chip}`)}
                    </button>
                  ))}
                </span>
              )}
              {SETTINGS[key].kind === 'text' && <span>{t('default.empty')}</span>}
              <span className="ml-auto">
                <DraftButtons draft={draft} />
              </span>
            </span>
          </Field>
        }
      />
    </form>
  )
}

/** A whole number with what it counts. */
export function NumberRow(props: RowProps) {
  const t = useTexts('settings')
  const words = useRowWords(props)
  const draft = useDraft(props)
  const [key = 'botIdle'] = props.item.keys
  const fault = draft.faults[key] ?? null
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        draft.save(text => text.trim())
      }}
    >
      <SettingRow
        {...words}
        below={
          fault && (
            <p className="m-0 text-right text-small text-danger" role="alert">
              {fault}
            </p>
          )
        }
      >
        {ids => (
          <>
            <DraftButtons draft={draft} />
            <TextInput
              {...ids}
              className="w-36"
              inputMode="numeric"
              autoComplete="off"
              aria-invalid={fault !== null || undefined}
              value={draft.value(key)}
              onChange={text => draft.change(key, text)}
              after={<span className="text-small text-muted">{t(`unit.${key}`)}</span>}
            />
          </>
        )}
      </SettingRow>
    </form>
  )
}
