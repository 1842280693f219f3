// Where this terminal is signed in, and which of the desks is meant when none is named.
import en from '../../locales/profiles/en.json'
import es from '../../locales/profiles/es.json'
import pt from '../../locales/profiles/pt.json'
import useEn from '../../locales/profiles-use/en.json'
import useEs from '../../locales/profiles-use/es.json'
import usePt from '../../locales/profiles-use/pt.json'
import { defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { changeProfiles, readProfiles } from '../kit/profiles.ts'

export const profiles = defineCommand({
  name: 'profiles',
  texts: { pt, en, es },
  async run({ out, t, env }) {
    const { current, profiles } = readProfiles(env)
    const rows = Object.entries(profiles).map(([name, { url, user }]) => ({
      name,
      url,
      user,
      current: name === current,
    }))
    out.answer({ profiles: rows }, () => {
      if (rows.length === 0) return out.say(t('fault.notSignedIn'))
      out.table(rows, [
        { title: t('name'), of: row => row.name, tone: row => (row.current ? 'strong' : undefined) },
        { title: t('address'), of: row => row.url },
        { title: t('person'), of: row => row.user, gives: true },
        { title: '', of: row => (row.current ? t('current') : ' '), tone: () => 'good' },
      ])
    })
  },
})

export const useProfile = defineCommand({
  name: 'profiles use',
  texts: { pt: usePt, en: useEn, es: useEs },
  args: { name: '<name>' },
  async run({ args: { name }, out, t, env }) {
    await changeProfiles(env, known => {
      if (!Object.hasOwn(known.profiles, name)) throw new Failure('noProfile', { name })
      return { ...known, current: name }
    })
    out.answer({ current: name }, () => out.done(t('done', { name })))
  },
})
