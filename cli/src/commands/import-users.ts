// People of the team from a sheet: looked at first, then asked, then taken at once (decisions-2 §22).
import type { ResponseBody } from '@balcao/contract'
import en from '../../locales/import-users/en.json'
import es from '../../locales/import-users/es.json'
import pt from '../../locales/import-users/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { readSheet, saveSmall } from '../kit/files.ts'
import { USER_SHEET_TEXTS } from '../kit/pages.ts'
import { repeatUnanswered } from '../kit/repeat.ts'
import { createTexts } from '../kit/texts.ts'

type Answer = ResponseBody<'POST /users/import/:userId'>

export const importUsers = defineCommand({
  name: 'import users',
  texts: { pt, en, es },
  args: { file: '<file>' },
  options: { preview: '--preview', yes: '-y, --yes' },
  async run(call) {
    const { args, options, out, t, ask, during } = call
    const form = await readSheet(args.file)
    const { api, user } = await call.desk()
    // An import whose answer was lost is repeated under the same name, and says again which passwords it gave.
    const clientId = crypto.randomUUID()
    const send = (how: { preview?: string; partial?: string }) => {
      const body = form()
      body.append('clientId', clientId)
      const request = { params: { userId: user.id }, query: { ...how, language: call.language }, body }
      return during(t('looking'), api('POST /users/import/:userId', request))
    }
    const looked = await send({ preview: 'true', partial: 'true' })
    if (!out.json || options.preview) out.answer({ preview: looked }, () => tell(call, looked, 'would'))
    if (options.preview) return looked.errors.length > 0 ? 1 : 0
    if (looked.imported === 0) throw new Failure('nobodyTaken', { count: looked.errors.length })
    if (!options.yes) {
      if (!ask.isThere) throw new Failure('needsYes', {}, 2)
      if (!(await ask.confirm(`${t('ask', { count: looked.imported })} [${t('yesNo')}] `, t('yes')))) {
        out.answer({ preview: looked }, () => out.line(t('notTaken')))
        return 1
      }
    }
    const taken = await repeatUnanswered(() => send({ partial: 'true' }))
    out.answer(taken, () => {
      out.done(t('taken', { count: taken.imported }))
      if (taken.passwords.length === 0) return
      out.line(t('passwords'))
      out.table(taken.passwords, [
        { title: t('name'), of: row => row.name, gives: true },
        { title: 'e-mail', of: row => row.email },
        { title: t('password'), of: row => row.password, tone: () => 'strong' },
      ])
    })
    if (taken.errorSheet) {
      const path = await saveSmall(taken.errorSheet.name, taken.errorSheet.base64)
      out.warn(t('wrongIn', { path }))
    }
    return 0
  },
})

function tell(
  { out, t, language }: Pick<CommandContext, 'out' | 't' | 'language'>,
  { imported, skipped, errors }: Answer,
  key: string,
) {
  const counts = [
    t('created', { count: imported }),
    t('skipped', { count: skipped }),
    t('wrong', { count: new Set(errors.map(({ row }) => row)).size }),
  ]
  out.say(`${t(key)} ${counts.join(' · ')}`)
  if (errors.length === 0) return
  const page = createTexts(language, USER_SHEET_TEXTS)
  out.table(errors.slice(0, 10), [
    { title: t('row'), of: row => row.row, right: true, tone: () => 'bad' },
    { title: t('field'), of: row => page(`column.${row.field}`) },
    { title: t('what'), of: row => row.message },
  ])
}
