// Reports, as PDF or sheet (decisions-2 §21, §23).
import en from '../../locales/report/en.json'
import es from '../../locales/report/es.json'
import pt from '../../locales/report/pt.json'
import { defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { checkFree, resolveFormat } from '../kit/files.ts'
import { parseChoice, parseId, parsePeriod, pick } from '../kit/pick.ts'
import { followAndSave } from '../kit/results.ts'

const CALLS = {
  tickets: 'POST /report/ticket',
  contacts: 'POST /report/contact',
  queues: 'POST /report/queue',
  users: 'POST /report/user',
  messages: 'POST /report/message',
} as const
const KINDS = ['tickets', 'contacts', 'queues', 'users', 'messages'] as const
const FORMATS = ['pdf', 'xlsx'] as const
const STATUSES = ['pending', 'open', 'paused', 'closed'] as const

export const report = defineCommand({
  name: 'report',
  texts: { pt, en, es },
  args: { kind: '<kind>', file: '[file]' },
  options: {
    from: '--from <day>',
    to: '--to <day>',
    format: '--format <format>',
    queue: '--queue <queue>',
    user: '--user <user>',
    contact: '--contact <id>',
    status: '--status <status>',
    force: '--force',
  },
  async run(call) {
    const { args, options, t, language } = call
    const kind = parseChoice(args.kind, KINDS)
    const wanted = { path: args.file, force: options.force }
    const [startDate, endDate] = parsePeriod(options)
    if (startDate === undefined || endDate === undefined) throw new Failure('daysMissing', {}, 2)
    const format = resolveFormat(options.format, args.file, FORMATS)
    const status = options.status === undefined ? undefined : parseChoice(options.status, STATUSES)
    if (kind === 'messages' && options.contact === undefined) throw new Failure('contactMissing', {}, 2)
    checkFree(wanted)
    const desk = await call.desk()
    const { api } = desk
    const body = {
      ...{ startDate, endDate, format, language, status },
      contactId: options.contact === undefined ? undefined : parseId(options.contact),
      queueId: options.queue === undefined ? undefined : pick(await api('GET /queue'), options.queue).id,
      userId:
        options.user === undefined
          ? undefined
          : pick((await api('GET /users', { query: { all: 'true' } })).users, options.user).id,
    }
    const started = await api(CALLS[kind], { body })
    if (!('jobId' in started)) throw new Failure('fileGone')
    await followAndSave(call, desk, started.jobId, t('writing'), wanted)
  },
})
