// Sheets as they go out: made by the server, fetched when they are done, laid down whole or not at all.
import en from '../../locales/export/en.json'
import es from '../../locales/export/es.json'
import pt from '../../locales/export/pt.json'
import { type Command, command } from '../kit/command.ts'
import { checkFree, formatOf } from '../kit/files.ts'
import { followAndSave } from '../kit/results.ts'

export const exportContacts = exporting('contacts', 'POST /contacts/export', {
  pt: { ...pt, ...pt.contacts },
  en: { ...en, ...en.contacts },
  es: { ...es, ...es.contacts },
})

export const exportDelegation = exporting('delegation', 'POST /contacts/export/delegation', {
  pt: { ...pt, ...pt.delegation },
  en: { ...en, ...en.delegation },
  es: { ...es, ...es.delegation },
})

function exporting(
  what: string,
  path: 'POST /contacts/export' | 'POST /contacts/export/delegation',
  texts: Command['texts'],
): Command {
  return command({
    name: `export ${what}`,
    texts,
    args: { file: '[file]' },
    options: { format: '--format <format>', force: '--force' },
    async run(call) {
      const wanted = { path: call.args.file, force: call.options.force }
      const format = formatOf(call.options.format, call.args.file, ['xlsx', 'csv'])
      checkFree(wanted)
      const desk = await call.desk()
      const { jobId } = await desk.api(path, { body: { format } })
      await followAndSave(call, desk, jobId, call.t('exporting'), wanted)
    },
  })
}
