// Where files are kept, their way into a bucket or back, and whose the bucket is: on the server's machine (docs/decisions/0233).
import en from '../../locales/files/en.json'
import es from '../../locales/files/es.json'
import pt from '../../locales/files/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { parseChoice } from '../kit/pick.ts'

export const files = defineCommand({
  name: 'files',
  texts: { pt, en, es },
  onServer: true,
  async run(call) {
    const { out, env, t } = call
    const { countInstallationFiles } = await import('@balcao/backend/desk/media/installation')
    const counts = await translateFailure(call, countInstallationFiles(env))
    out.answer(counts, () => {
      for (const where of ['folder', 'waiting', 's3'] as const)
        out.line(t(`kept.${where}`, { count: counts[where].files, mb: toMegabytes(counts[where].bytes) }))
    })
  },
})

export const moveFiles = defineCommand({
  name: 'files move',
  texts: { pt: { ...pt, ...pt.move }, en: { ...en, ...en.move }, es: { ...es, ...es.move } },
  options: { to: '--to <place>' },
  onServer: true,
  async run(call) {
    const { options, out, env, t, ending } = call
    const to = parseChoice(options.to ?? 's3', ['s3', 'folder'])
    const { moveInstallationFiles } = await import('@balcao/backend/desk/media/installation')
    let label = t('working')
    const progress = (done: { readonly moved: number; readonly bytes: number }, total: number) => {
      label = `${t('working')} ${done.moved}/${total} · ${toMegabytes(done.bytes)} MB`
    }
    const moving = moveInstallationFiles(env, { to, signal: ending.signal, progress })
    // The file that is on its way has some seconds: who stops it is told so at once.
    const forget = ending.onEnd(() => {
      out.note(t('ending'))
      return moving.catch(() => undefined)
    })
    const moved = await translateFailure(call, moving, () => label).finally(forget)
    const { missing, damaged } = moved
    out.answer(moved, () => {
      out.done(t('moved', { count: moved.moved, mb: toMegabytes(moved.bytes) }))
      if (missing > 0) out.warn(t('missing', { count: missing }))
      if (damaged > 0) out.warn(t('damaged', { count: damaged }))
    })
    return missing + damaged > 0 ? 1 : 0
  },
})

export const takeOverBucket = defineCommand({
  name: 'files take-over',
  texts: { pt: { ...pt, ...pt.takeOver }, en: { ...en, ...en.takeOver }, es: { ...es, ...es.takeOver } },
  options: { yes: '--yes' },
  onServer: true,
  async run(call) {
    const { options, out, ask, env, t } = call
    if (!options.yes) {
      if (!ask.isThere) throw new Failure('needsYesTakeOver', {}, 2)
      if (!(await ask.confirm(`${t('sure')} [${t('yesNo')}] `, t('yes')))) return 1
    }
    const { takeOverInstallationBucket } = await import('@balcao/backend/desk/media/installation')
    await translateFailure(call, takeOverInstallationBucket(env))
    out.answer({ ours: true }, () => out.done(t('done')))
    return 0
  },
})

/** What keeps it from being done is said in the reader's language. */
async function translateFailure<T>(
  { during, t }: Pick<CommandContext, 'during' | 't'>,
  work: Promise<T>,
  label: () => string = () => t('working'),
): Promise<T> {
  try {
    return await during(label, work)
  } catch (error) {
    const { classifyFileFault } = await import('@balcao/backend/desk/media/installation')
    const why = classifyFileFault(error)
    throw why === null ? error : new Failure(why)
  }
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}
