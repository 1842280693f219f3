import { listSettingOptions, type SettingKey } from '@balcao/contract/settings/settings'
import { usePeople } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Select } from '@balcao/ui/parts'
import { SettingRow } from '@balcao/ui/screens'
import { type RowProps, useRowWords } from './row.ts'
import type { SettingsDesk } from './use-settings.ts'
import { describeValue } from './words.ts'

/** One of a few values. */
export function ChoiceRow(props: RowProps) {
  const words = useRowWords(props)
  const [key] = props.item.keys
  return (
    <SettingRow {...words}>{() => key && <Choice setting={key} desk={props.desk} label={words.name} />}</SettingRow>
  )
}

interface ChoiceProps {
  readonly setting: SettingKey
  readonly desk: SettingsDesk
  readonly label?: string
}

/** The values of a setting to choose from; beside a switch it says what it is the time of. */
export function Choice({ setting, desk, label }: ChoiceProps) {
  const t = useTexts('settings')
  const options = listSettingOptions(setting).map(value => {
    const words = describeValue(setting, value, t, label ? 'span' : 'short') ?? value
    return { value, label: label ? words : t(`within.${setting}`, { span: words }) }
  })
  return (
    <Select
      className="w-52 max-w-full"
      label={label ?? t(`set.${setting}.name`)}
      options={options}
      filter={false}
      value={desk.text(setting)}
      onChange={value => value !== null && value !== desk.text(setting) && void desk.save({ [setting]: value })}
    />
  )
}

/** A person of the team, or nobody. */
export function PersonRow(props: RowProps) {
  const { desk, item } = props
  const t = useTexts('settings')
  const words = useRowWords(props)
  const { last: people } = usePeople()
  const [key = 'userCron'] = item.keys
  const chosen = desk.text(key)
  const active = (people ?? [])
    .filter(person => person.active)
    .map(({ id, name }) => ({ value: String(id), label: name }))
  // Somebody who was deactivated since is still there, and can be taken out.
  const gone = chosen !== '' && people && !active.some(({ value }) => value === chosen)
  const options = [
    { value: '', label: t('nobody') },
    ...(gone ? [{ value: chosen, label: t('notActive') }] : []),
    ...active,
  ]
  return (
    <SettingRow {...words}>
      {() => (
        <Select
          className="w-52 max-sm:w-36"
          label={words.name}
          options={options}
          value={chosen}
          onChange={value => value !== null && value !== chosen && void desk.save({ [key]: value })}
        />
      )}
    </SettingRow>
  )
}

const ZONES = Intl.supportedValuesOf('timeZone')

/** The company's time zone, by its name. */
export function ZoneRow(props: RowProps) {
  const words = useRowWords(props)
  const chosen = props.desk.text('timezone')
  const options = [...new Set([chosen, ...ZONES])].map(value => ({ value, label: value.replaceAll('_', ' ') }))
  return (
    <SettingRow {...words}>
      {() => (
        <Select
          className="w-56 max-sm:w-40"
          label={words.name}
          options={options}
          value={chosen}
          onChange={value => value !== null && value !== chosen && void props.desk.save({ timezone: value })}
        />
      )}
    </SettingRow>
  )
}
