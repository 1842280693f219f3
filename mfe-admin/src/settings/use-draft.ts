// What is written and not saved yet, over what is stored; it stays when somebody else saves meanwhile, who is named when it is saved.
import { type SettingKey, settingFaults } from '@balcao/contract/settings'
import { textsOf } from '@balcao/ui/i18n'
import { useHeldPage } from '@balcao/ui/screens'
import { useState } from 'react'
import type { RowProps } from './row.ts'
import type { Faults } from './use-settings.ts'

type Versions = Readonly<Record<string, number>>

/** The fields of a row that are saved together. */
export function useDraft({ item, desk }: RowProps) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>({})
  const [from, setFrom] = useState<Versions | undefined>()
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const value = (key: SettingKey) => draft[key] ?? desk.text(key)
  const isChanged = item.keys.some(key => value(key) !== desk.text(key))
  useHeldPage(isChanged)

  function change(key: SettingKey, text: string) {
    // Who began to write goes on from what was there then.
    if (!isChanged) setFrom(desk.versionOf(item.keys))
    setDraft(old => ({ ...old, [key]: text }))
    setFaults({})
  }

  function giveUp() {
    setDraft({})
    setFaults({})
  }

  /** All fields of the row or none (spec 2 §5). */
  async function save(clean: (text: string) => string = text => text) {
    const values = Object.fromEntries(item.keys.map(key => [key, clean(value(key))]))
    const t = textsOf('settings')
    const wrong = Object.entries(settingFaults(values)).map(([key, { code, params }]) => [
      key,
      t(`problem.${code}`, params),
    ])
    if (wrong.length > 0) return setFaults(Object.fromEntries(wrong))
    setBusy(true)
    const refused = await desk.save(values, from)
    setBusy(false)
    setFaults(refused ?? {})
    if (!refused) setDraft({})
    // Saved once more it goes over what was shown.
    else setFrom(undefined)
  }

  return {
    value,
    isChanged,
    faults,
    busy,
    change,
    giveUp,
    save: (clean?: (text: string) => string) => void save(clean),
  }
}
