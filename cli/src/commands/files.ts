// Where files are kept, their way into a bucket or back, and whose the bucket is: on the server's machine (docs/decisions/0233).
import en from '../../locales/files/en.json'
import es from '../../locales/files/es.json'
import pt from '../../locales/files/pt.json'
import { type Call, command } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { oneOf } from '../kit/pick.ts'

export const files = command({
  name: 'files',
  texts: { pt, en, es },
  onServer: true,
  async run(call) {
    const { out, env, t } = call
    const { countHere } = await import('@balcao/backend/desk/media/here')
    const kept = await told(call, countHere(env))
    out.answer(kept, () => {
      for (const where of ['folder', 'waiting', 's3'] as const)
        out.line(t(`kept.${where}`, { count: kept[where].files, mb: megabytes(kept[where].bytes) }))
    })
  },
})

export const moveFiles = command({
  name: 'files move',
  texts: { pt: { ...pt, ...pt.move }, en: { ...en, ...en.move }, es: { ...es, ...es.move } },
  options: { to: '--to <place>' },
  onServer: true,
  async run(call) {
    const { options, out, env, t, ending } = call
    const to = oneOf(options.to ?? 's3', ['s3', 'folder'])
    const { moveHere } = await import('@balcao/backend/desk/media/here')
    let label = t('working')
    const progress = (done: { readonly moved: number; readonly bytes: number }, total: number) => {
      label = `${t('working')} ${done.moved}/${total} · ${megabytes(done.bytes)} MB`
    }
    const moving = moveHere(env, { to, signal: ending.signal, progress })
    // The file that is on its way has some seconds: who stops it is told so at once.
    const forget = ending.onEnd(() => {
      out.note(t('ending'))
      return moving.catch(() => undefined)
    })
    const moved = await told(call, moving, () => label).finally(forget)
    const { missing, damaged } = moved
    out.answer(moved, () => {
      out.done(t('moved', { count: moved.moved, mb: megabytes(moved.bytes) }))
      if (missing > 0) out.warn(t('missing', { count: missing }))
      if (damaged > 0) out.warn(t('damaged', { count: damaged }))
    })
    return missing + damaged > 0 ? 1 : 0
  },
})

export const takeOverBucket = command({
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
    const { takeOverHere } = await import('@balcao/backend/desk/media/here')
    await told(call, takeOverHere(env))
    out.answer({ ours: true }, () => out.done(t('done')))
    return 0
  },
})

/** What keeps it from being done is said in the reader's language. */
async function told<T>(
  { during, t }: Pick<Call, 'during' | 't'>,
  work: Promise<T>,
  label: () => string = () => t('working'),
): Promise<T> {
  try {
    return await during(label, work)
  } catch (error) {
    const { whyNotHere } = await import('@balcao/backend/desk/media/here')
    const why = whyNotHere(error)
    throw why === null ? error : new Failure(why)
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}
