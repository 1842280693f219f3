// Long work one has begun: how far it is, how to stop it, and what it left (decisions-2 §13).
import { composeJobTitle } from '@balcao/contract'
import en from '../../locales/jobs/en.json'
import es from '../../locales/jobs/es.json'
import pt from '../../locales/jobs/pt.json'
import cancelEn from '../../locales/jobs-cancel/en.json'
import cancelEs from '../../locales/jobs-cancel/es.json'
import cancelPt from '../../locales/jobs-cancel/pt.json'
import saveEn from '../../locales/jobs-save/en.json'
import saveEs from '../../locales/jobs-save/es.json'
import savePt from '../../locales/jobs-save/pt.json'
import { defineCommand } from '../kit/command.ts'
import { findSentence } from '../kit/faults.ts'
import { checkFree } from '../kit/files.ts'
import { SCREEN_TEXTS } from '../kit/pages.ts'
import { parseId } from '../kit/pick.ts'
import { followAndSave } from '../kit/results.ts'
import { createTexts } from '../kit/texts.ts'
import { formatInstant } from '../kit/when.ts'

export const jobs = defineCommand({
  name: 'jobs',
  texts: { pt, en, es },
  async run({ out, t, language, desk }) {
    const { api } = await desk()
    const { jobs } = await api('GET /jobs')
    const page = createTexts(language, SCREEN_TEXTS)
    out.answer({ jobs }, () => {
      if (jobs.length === 0) return out.line(t('none'))
      out.table(jobs, [
        { title: 'id', of: row => row.id, right: true },
        {
          title: t('kind'),
          of: row => composeJobTitle(page(`job.kind.${row.kind}`), row.about, page),
          gives: true,
          tone: () => 'strong',
        },
        {
          title: t('state'),
          of: row => t(`${row.kind.startsWith('report.') ? 'report' : 'is'}.${row.state}`),
          tone: row => (row.state === 'done' ? 'good' : row.state === 'failed' ? 'bad' : undefined),
        },
        { title: t('progress'), of: row => (row.total === null ? row.done : `${row.done}/${row.total}`), right: true },
        { title: t('at'), of: row => formatInstant(row.createdAt, language) },
        { title: '', of: row => (row.error ? (findSentence(row.error, t, language) ?? row.error) : ' '), gives: true },
      ])
    })
  },
})

export const cancelJob = defineCommand({
  name: 'jobs cancel',
  texts: { pt: cancelPt, en: cancelEn, es: cancelEs },
  args: { id: '<id>' },
  async run({ args, out, t, desk }) {
    const id = parseId(args.id)
    const { api } = await desk()
    const job = await api('DELETE /jobs/:id', { params: { id } })
    out.answer({ job }, () => {
      if (job.state === 'cancelled') out.done(t('done', { id }))
      else out.line(t('ended', { id }))
    })
    return job.state === 'cancelled' ? 0 : 1
  },
})

/** Followed to its end, where it still goes on. */
export const saveJob = defineCommand({
  name: 'jobs save',
  texts: { pt: savePt, en: saveEn, es: saveEs },
  args: { id: '<id>', file: '[file]' },
  options: { force: '--force' },
  async run(call) {
    const { args, options, t } = call
    const id = parseId(args.id)
    const wanted = { path: args.file, force: options.force }
    checkFree(wanted)
    await followAndSave(call, await call.desk(), id, t('waiting'), wanted)
  },
})
