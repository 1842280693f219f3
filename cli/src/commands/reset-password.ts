// A one-time password for who is locked out: only on the server's machine, past every sign-in (decisions-2 §21).
import en from '../../locales/reset-password/en.json'
import es from '../../locales/reset-password/es.json'
import pt from '../../locales/reset-password/pt.json'
import { defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'

export const resetPassword = defineCommand({
  name: 'reset-password',
  texts: { pt, en, es },
  args: { email: '<email>' },
  onServer: true,
  async run({ args: { email }, out, t, env }) {
    const { resetLockedOut } = await import('@balcao/backend/desk/users/locked-out')
    const found = await resetLockedOut(env, email)
    if (!found) throw new Failure('nobody', { email })
    out.answer(found, () => {
      out.done(t('done', { name: found.name }))
      out.line(`  ${out.paint(found.password, 'strong')}`)
      out.line(out.paint(t('once'), 'muted'))
      if (!found.active) out.warn(t('inactive'))
    })
  },
})
