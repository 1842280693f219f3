// Signing out: the token of this terminal ends on the server, and goes from the file.
import en from '../../locales/logout/en.json'
import es from '../../locales/logout/es.json'
import pt from '../../locales/logout/pt.json'
import { defineCommand } from '../kit/command.ts'
import { endToken } from '../kit/desk.ts'
import { Failure } from '../kit/faults.ts'
import { changeProfiles, readProfiles, removeProfile } from '../kit/profiles.ts'

export const logout = defineCommand({
  name: 'logout',
  texts: { pt, en, es },
  async run({ out, t, env, profile, during }) {
    const known = readProfiles(env)
    const name = profile ?? known.current
    const found = name === null || !Object.hasOwn(known.profiles, name) ? undefined : known.profiles[name]
    if (name === null || !found) throw new Failure('notSignedIn')
    const ended = await during(t('leaving'), endToken(found))
    // Who signed in anew by this name meanwhile stays.
    await changeProfiles(env, now => (now.profiles[name]?.token === found.token ? removeProfile(now, name) : now))
    out.answer({ profile: name, url: found.url, told: ended }, () => {
      out.done(t('done', { name }))
      if (!ended) out.warn(t('notTold'))
    })
  },
})
