// Sheets as they go out: made by the server, fetched when they are done, laid down whole or not at all.
import en from '../../locales/export/en.json'
import es from '../../locales/export/es.json'
import pt from '../../locales/export/pt.json'
import { type Command, defineCommand } from '../kit/command.ts'
import { checkFree, resolveFormat } from '../kit/files.ts'
import { followAndSave } from '../kit/results.ts'

export const exportContacts = createExportCommand('contacts', 'POST /contacts/export', {
  pt: { ...pt, ...pt.contacts },
  en: { ...en, ...en.contacts },
  es: { ...es, ...es.contacts },
})

export const exportDelegation = createExportCommand('delegation', 'POST /contacts/export/delegation', {
  pt: { ...pt, ...pt.delegation },
  en: { ...en, ...en.delegation },
  es: { ...es, ...es.delegation },
})

function createExportCommand(
  label: string,
  path: 'POST /contacts/export' | 'POST /contacts/export/delegation',
  texts: Command['texts'],
): Command {
  return defineCommand({
    name: `export ${label}`,
    texts,
    args: { file: '[file]' },
    options: { format: '--format <format>', force: '--force' },
    async run(call) {
      const wanted = { path: call.args.file, force: call.options.force }
      const format = resolveFormat(call.options.format, call.args.file, ['xlsx', 'csv'])
      checkFree(wanted)
      const desk = await call.desk()
      const { jobId } = await desk.api(path, { body: { format } })
      await followAndSave(call, desk, jobId, call.t('exporting'), wanted)
    },
  })
}
