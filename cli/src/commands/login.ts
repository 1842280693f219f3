// Signing in: once for each desk. What is kept is a token of this terminal's own, never a password (decisions-2 §21, §23).
import { hostname } from 'node:os'
import { findDesk, signIn } from '@balcao/client/session'
import en from '../../locales/login/en.json'
import es from '../../locales/login/es.json'
import pt from '../../locales/login/pt.json'
import { readPipe } from '../kit/ask.ts'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { endToken, isReadable, parseAddress } from '../kit/desk.ts'
import { Failure } from '../kit/faults.ts'
import { addProfile, changeProfiles, readProfiles, type ServerProfile } from '../kit/profiles.ts'

export const login = defineCommand({
  name: 'login',
  texts: { pt, en, es },
  args: { address: '[address]' },
  options: { email: '--email <email>', passwordStdin: '--password-stdin', printToken: '--print-token' },
  async run(call) {
    const { args, options, out, t, ask, env, ending, profile, language } = call
    const url = parseAddress(args.address ?? env.BALCAO_URL ?? (await ask.line(t('address'))))
    call.speaksTo(url)
    if (isReadable(url)) out.note(t('readable'))
    const { company, product } = await call.during(t('asking'), findDesk(url))
    if (ask.isThere && !options.passwordStdin) out.note(t('desk', { company, product, url }))
    // Said before anybody is asked for a password.
    if (!options.printToken) readProfiles(env)
    const account = await readAccount(call, options)
    const session = await call.during(t('entering'), signIn(url, account, language))
    // The session of the password ends with the command; the terminal's own stays.
    const forget = ending.onEnd(() => session.signOut())
    const { id, token } = await session.api('POST /auth/terminal', { body: { name: hostname().slice(0, 100) } })
    forget()
    await session.signOut()
    const { name: user } = session.user
    if (options.printToken) return out.answer({ url, user, id, token }, () => out.raw(`${token}\n`))
    const name = profile ?? new URL(url).host
    let before: ServerProfile | undefined
    const saved = await changeProfiles(env, known => {
      before = Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined
      // Who names a profile adds it beside the one in use.
      return addProfile(known, name, { url, token, user }, profile !== undefined)
    }).catch(async error => {
      // Nobody holds it: it would stay good for a month.
      await endToken({ url, token, user })
      throw error
    })
    // Nobody holds the former token any more: it would stay good for a month.
    const ended = before === undefined || (await call.during(t('replacing'), endToken(before)))
    out.answer({ url, user, profile: name }, () => {
      out.done(t('done', { user, url, name }))
      if (saved.current !== name) out.note(t('aside', { name, current: saved.current ?? '' }))
      if (!ended) out.warn(t('notTold'))
    })
  },
})

async function readAccount(
  { ask, t }: Pick<CommandContext, 'ask' | 't'>,
  { email, passwordStdin }: { readonly email: string | undefined; readonly passwordStdin: boolean },
) {
  if (passwordStdin) {
    if (email === undefined) throw new Failure('emailMissing', {}, 2)
    return { email, password: await readPipe() }
  }
  return { email: email ?? (await ask.line(t('email'))), password: await ask.secret(t('password')) }
}
