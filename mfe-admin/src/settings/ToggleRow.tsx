import type { SettingPreview } from '@balcao/contract'
import { isPreviewed, SETTINGS } from '@balcao/contract/settings/settings'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Switch } from '@balcao/ui/parts'
import { SettingRow } from '@balcao/ui/screens'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Choice } from './ChoiceRow.tsx'
import { describePreview, limitPeople } from './preview.ts'
import { type RowProps, useRowWords } from './row.ts'

/** On or off, at once; what changes who sees what is tried first (decisions-2 §18). A second key is the choice that goes with it. */
export function ToggleRow(props: RowProps) {
  const { item, desk } = props
  const t = useTexts('settings')
  const words = useRowWords(props)
  const [key, choice] = item.keys
  const [trial, setTrial] = useState<boolean | null>(null)
  const { now: preview, error } = useQuery(key && trial !== null ? `${key} ${trial}` : null, signal =>
    api('POST /settings/:key/preview', {
      params: { key: String(key) },
      body: { value: toSettingText(trial === true) },
      signal,
    }),
  )
  if (!key) return null
  const isOn = desk.now[key] === true
  const set = async (on: boolean) => {
    setTrial(null)
    await desk.save({ [key]: toSettingText(on) })
  }
  const isTrying = trial !== null && trial !== isOn
  return (
    <SettingRow
      {...words}
      dryRun={
        isTrying
          ? {
              text: error ? t('dry.failed') : describePreview(preview, trial, t, key),
              ...(preview && preview.tickets.appear > 0 ? { icon: Eye } : {}),
              people: preview && preview.people.length > 0 ? <People preview={preview} /> : undefined,
              action: t(trial ? 'dry.turnOn' : 'dry.turnOff'),
              busy: preview === null && !error,
              onKeep: () => setTrial(null),
              onChange: () => void set(trial),
            }
          : undefined
      }
    >
      {() => (
        <>
          {choice && <Choice setting={choice} desk={desk} />}
          <Switch
            bare
            label={words.name}
            checked={isTrying ? trial : isOn}
            onChange={on =>
              isPreviewed(key) && on !== isOn ? setTrial(on) : isPreviewed(key) ? setTrial(null) : void set(on)
            }
          />
        </>
      )}
    </SettingRow>
  )
}

/** Who is shown more or less, most first. */
function People({ preview }: { readonly preview: SettingPreview }) {
  const t = useTexts('settings')
  const { shown, more } = limitPeople(preview)
  return (
    <ul className="m-0 flex list-none flex-wrap gap-x-5 gap-y-2 p-0">
      {shown.map(person => (
        <li key={person.userId} className="flex items-center gap-2 text-text-2">
          <Avatar id={person.userId} name={person.name} size={24} />
          <span>
            <b className="text-ink">{person.name}</b>{' '}
            {t(person.appear > 0 ? 'dry.seesMore' : 'dry.seesLess', { count: person.appear + person.disappear })}
            {person.waiting > 0 && `, ${t('dry.waiting', { count: person.waiting })}`}
          </span>
        </li>
      ))}
      {more > 0 && <li className="text-muted">{t('dry.more', { count: more })}</li>}
    </ul>
  )
}

function toSettingText(on: boolean): string {
  return SETTINGS.hierarchy.write(on)
}
