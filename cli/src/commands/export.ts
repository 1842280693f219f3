// Sheets as they go out: made by the server, fetched when they are done, laid down whole or not at all.
import en from '../../locales/export/en.json'
import es from '../../locales/export/es.json'
import pt from '../../locales/export/pt.json'
import { command } from '../kit/command.ts'
import { checkFree } from '../kit/files.ts'
import { oneOf } from '../kit/pick.ts'
import { followAndSave } from '../kit/results.ts'

const given = {
  args: { file: '[file]' },
  options: { format: '--format <format>', force: '--force' },
} as const
const FORMATS = ['xlsx', 'csv'] as const

export const exportContacts = command({
  name: 'export contacts',
  texts: { pt: { ...pt, ...pt.contacts }, en: { ...en, ...en.contacts }, es: { ...es, ...es.contacts } },
  ...given,
  async run(call) {
    const wanted = { path: call.args.file, force: call.options.force }
    const format = oneOf(call.options.format ?? 'xlsx', FORMATS)
    checkFree(wanted)
    const desk = await call.desk()
    const { jobId } = await desk.api('POST /contacts/export', { body: { format } })
    await followAndSave(call, desk, jobId, call.t('exporting'), wanted)
  },
})

export const exportDelegation = command({
  name: 'export delegation',
  texts: { pt: { ...pt, ...pt.delegation }, en: { ...en, ...en.delegation }, es: { ...es, ...es.delegation } },
  ...given,
  async run(call) {
    const wanted = { path: call.args.file, force: call.options.force }
    const format = oneOf(call.options.format ?? 'xlsx', FORMATS)
    checkFree(wanted)
    const desk = await call.desk()
    const { jobId } = await desk.api('POST /contacts/export/delegation', { body: { format } })
    await followAndSave(call, desk, jobId, call.t('exporting'), wanted)
  },
})
