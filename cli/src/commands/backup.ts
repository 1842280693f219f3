// Backups: written, verified and restored on the server's machine, with its environment (decisions-2 §20).
import en from '../../locales/backup/en.json'
import es from '../../locales/backup/es.json'
import pt from '../../locales/backup/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { formatInstant } from '../kit/when.ts'

const options = { keyFile: '--key-file <file>' } as const

export const createBackup = defineCommand({
  name: 'backup create',
  texts: { pt: { ...pt, ...pt.create }, en: { ...en, ...en.create }, es: { ...es, ...es.create } },
  args: { file: '[file]' },
  options,
  onServer: true,
  async run(call) {
    const { args, out, t } = call
    const { createInstallationBackup } = await import('@balcao/backend/operations/backup/installation')
    const options = { ...toBackupOptions(call), ...(args.file !== undefined && { file: args.file }) }
    const made = await waitUntilDone(call, shown => createInstallationBackup(call.env, { ...options, ...shown }))
    const { missing, damaged, count } = made.manifest.files
    out.answer(made, () => {
      out.done(made.where)
      out.detail(
        t('held', {
          rows: made.rows,
          files: count,
          mb: Math.ceil(made.bytes / 1e6),
          at: formatInstant(made.at, call.language),
        }),
      )
      if (!made.encrypted) out.detail(t('plain'))
      if (missing.length > 0) out.detail(t('missing', { ids: missing.join(' ') }))
      if (damaged.length > 0) out.detail(t('damaged', { ids: damaged.join(' ') }))
    })
  },
})

export const verifyBackup = defineCommand({
  name: 'backup verify',
  texts: { pt: { ...pt, ...pt.verify }, en: { ...en, ...en.verify }, es: { ...es, ...es.verify } },
  args: { file: '<file>' },
  options,
  onServer: true,
  async run(call) {
    const { args, out, t } = call
    const { verifyInstallationBackup } = await import('@balcao/backend/operations/backup/installation')
    const verified = await waitUntilDone(call, shown =>
      verifyInstallationBackup(call.env, { ...toBackupOptions(call), ...shown, file: args.file }),
    )
    const { tables, files } = verified.manifest
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    out.answer(verified, () =>
      out.done(t('good', { rows, files: files.count, at: formatInstant(verified.at, call.language) })),
    )
  },
})

export const restoreBackup = defineCommand({
  name: 'backup restore',
  texts: { pt: { ...pt, ...pt.restore }, en: { ...en, ...en.restore }, es: { ...es, ...es.restore } },
  args: { file: '<file>' },
  options,
  onServer: true,
  async run(call) {
    const { args, out, t } = call
    const { restoreInstallation } = await import('@balcao/backend/operations/backup/installation')
    const restored = await waitUntilDone(call, shown =>
      restoreInstallation(call.env, { ...toBackupOptions(call), ...shown, file: args.file }),
    )
    const { at, calmed, replaced, strangers } = restored
    out.answer(restored, () => {
      out.done(t('done', { at: formatInstant(at, call.language) }))
      for (const [label, count] of Object.entries(calmed))
        if (typeof count === 'number' && count > 0) out.detail(t(`calmed.${label}`, { count }))
      if (calmed.idleClosing) out.detail(t('calmed.idleClosing'))
      if (replaced !== null) out.detail(t('replaced', { path: replaced }))
      if (strangers.length > 0) out.detail(t('strangers', { names: strangers.join(', ') }))
    })
  },
})

/** Told how far it has come: bytes, of how many where that is known. */
interface Watching {
  readonly progress: (at: { readonly step: string; readonly bytes: number; readonly of: number | null }) => void
  readonly warnOfLeftovers: (error: unknown) => void
}

type BackupCall = CommandContext<unknown, { readonly keyFile: string | undefined }>

function toBackupOptions({ options: { keyFile }, ending }: BackupCall) {
  return { keyFile, signal: ending.signal }
}

/** Whoever presses Ctrl+C waits until nothing of it is left. What is wrong with a backup is said in the reader's language. */
async function waitUntilDone<T>(
  { during, ending, out, t }: BackupCall,
  begin: (shown: Watching) => Promise<T>,
): Promise<T> {
  let label = t('working')
  const progress: Watching['progress'] = ({ step, bytes, of }) => {
    const share = of === null ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.floor((bytes / of) * 100)} %`
    label = `${t('working')} ${t(`step.${step}`)} · ${share}`
  }
  const warnOfLeftovers = (error: unknown) =>
    out.warn(t('leftovers', { why: error instanceof Error ? error.message : String(error) }))
  const work = begin({ progress, warnOfLeftovers })
  const forget = ending.onEnd(
    () => work.catch(() => undefined),
    () => out.note(t('removes')),
  )
  try {
    return await during(() => label, work)
  } catch (error) {
    const { BackupFault } = await import('@balcao/backend/operations/backup/fault')
    throw error instanceof BackupFault ? new Failure(error.code, error.params) : error
  } finally {
    forget()
  }
}
