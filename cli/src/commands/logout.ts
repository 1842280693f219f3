// Signing out: the token of this terminal ends on the server, and goes from the file.
import { isApiError } from '@balcao/client'
import { comeBack } from '@balcao/client/session'
import en from '../../locales/logout/en.json'
import es from '../../locales/logout/es.json'
import pt from '../../locales/logout/pt.json'
import { command } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { readProfiles, withoutProfile, writeProfiles } from '../kit/profiles.ts'

export const logout = command({
  name: 'logout',
  texts: { pt, en, es },
  async run({ out, t, env, profile, during }) {
    const known = readProfiles(env)
    const name = profile ?? known.current
    const found = name === null || !Object.hasOwn(known.profiles, name) ? undefined : known.profiles[name]
    if (name === null || !found) throw new Failure('notSignedIn')
    const told = await during(t('leaving'), endOf(found.url, found.token))
    writeProfiles(env, withoutProfile(known, name))
    out.answer({ profile: name, url: found.url, told }, () => {
      out.done(t('done', { name }))
      if (!told) out.warn(t('notTold'))
    })
  },
})

/** Whether the server was told: one that is away, or knows the token no more, keeps nobody signed in here. */
async function endOf(url: string, token: string): Promise<boolean> {
  try {
    await (await comeBack(url, token)).signOut()
    return true
  } catch (error) {
    if (!isApiError(error)) throw error
    return error.code !== 'OFFLINE'
  }
}
