// Sheets as they come in: looked at first, then asked, then taken (decisions-2 §14, §21, §22).
import { formatPhone, type ResponseBody } from '@balcao/contract'
import en from '../../locales/import/en.json'
import es from '../../locales/import/es.json'
import pt from '../../locales/import/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import type { Desk } from '../kit/desk.ts'
import { Failure } from '../kit/faults.ts'
import { readSheet, saveSmall } from '../kit/files.ts'
import { followJob } from '../kit/jobs.ts'
import { SHEET_TEXTS, USER_SHEET_TEXTS } from '../kit/pages.ts'
import { createTexts } from '../kit/texts.ts'

const importOptions = {
  args: { file: '<file>' },
  options: {
    ...{ preview: '--preview', yes: '-y, --yes', allOrNothing: '--all-or-nothing' },
    areaCode: '--area-code <digits>',
  },
} as const

export const importContacts = defineCommand({
  name: 'import contacts',
  texts: { pt: { ...pt, ...pt.contacts }, en: { ...en, ...en.contacts }, es: { ...es, ...es.contacts } },
  args: importOptions.args,
  options: { ...importOptions.options, allNumbers: '--all-numbers' },
  run: call => importSheet(call, 'POST /contacts/import'),
})

export const importDelegation = defineCommand({
  name: 'import delegation',
  texts: { pt: { ...pt, ...pt.delegation }, en: { ...en, ...en.delegation }, es: { ...es, ...es.delegation } },
  ...importOptions,
  run: call => importSheet(call, 'POST /contacts/delegation'),
})

interface ImportArguments {
  readonly args: { readonly file: string }
  readonly options: {
    readonly preview: boolean
    readonly yes: boolean
    readonly allOrNothing: boolean
    /** Of numbers that stand in the sheet without one. */
    readonly areaCode: string | undefined
    /** Contacts get all numbers of their rows. */
    readonly allNumbers?: boolean
  }
}
type Key = 'POST /contacts/import' | 'POST /contacts/delegation'
type ImportPreview = Exclude<ResponseBody<Key>, { readonly jobId: number }>

async function importSheet(
  call: Omit<CommandContext, 'args' | 'options'> & ImportArguments,
  key: Key,
): Promise<number> {
  const { args, options, out, t } = call
  const sheet = await readSheet(args.file)
  const form = () => {
    const body = sheet()
    if (options.areaCode) body.append('areaCode', options.areaCode)
    if (options.allNumbers) body.append('numbers', 'all')
    return body
  }
  const desk = await call.desk()
  const looked = await previewImport(call, desk, key, form())
  if (options.preview) {
    out.answer({ preview: looked }, () => tellLooked(call, looked))
    return looked.errors.length > 0 ? 1 : 0
  }
  if (!out.json) tellLooked(call, looked)
  const willTake = looked.created + looked.updated
  if (willTake === 0 || (options.allOrNothing && looked.wrong > 0)) {
    if (looked.wrong > 0) throw new Failure('nothingTaken', { count: looked.wrong })
    // Rows of a sheet that lacks a column were not looked at.
    const missing = looked.errors.map(({ field }) => field)
    if (missing.length > 0) throw new Failure('columnsMissing', { count: missing.length, names: missing.join(', ') })
    out.answer({ preview: looked, job: null }, () => out.line(t(looked.total === 0 ? 'noRows' : 'nothingNew')))
    return 0
  }
  if (!options.yes && !(await confirmImport(call, looked))) {
    out.answer({ preview: looked, job: null }, () => out.line(t('notTaken')))
    return 1
  }
  const query = { partial: options.allOrNothing ? 'false' : 'true', language: call.language }
  const started = await desk.api(key, { query, body: form() })
  if (!('jobId' in started)) throw new Failure('nothingTaken', { count: looked.wrong })
  const job = await followJob(call, desk, started.jobId, t('importing'))
  out.answer({ preview: looked, job }, () => {
    const { created = 0, updated = 0 } = job.result?.counts ?? {}
    const counts = [t('created', { count: created }), t('updated', { count: updated })]
    out.done(t('taken', { counts: counts.join(', ') }))
  })
  await tellWrong(call, looked)
  return 0
}

async function previewImport(
  call: Pick<CommandContext, 'during' | 't' | 'language'>,
  desk: Desk,
  key: Key,
  body: FormData,
): Promise<ImportPreview> {
  const looked = await call.during(
    call.t('looking'),
    desk.api(key, { query: { preview: 'true', language: call.language }, body }),
  )
  if ('jobId' in looked) throw new Failure('nothingTaken', { count: 0 })
  return looked
}

/** What would come of it, the first contacts as they will be, and the first rows that are wrong. */
function tellLooked({ out, t, language }: Pick<CommandContext, 'out' | 't' | 'language'>, looked: ImportPreview) {
  const { paint } = out
  const page = createTexts(language, USER_SHEET_TEXTS, SHEET_TEXTS)
  out.say(`${t('looked', { count: looked.total })} · ${t('nothingYet')}`)
  const counts = [
    paint(t('created', { count: looked.created }), 'good'),
    paint(t('updated', { count: looked.updated }), 'link'),
    paint(t('skipped', { count: looked.skipped }), 'muted'),
    paint(t('wrong', { count: looked.wrong }), looked.wrong > 0 ? 'bad' : 'muted'),
  ]
  out.say(counts.join('   '))
  if (looked.several > 0 && looked.contacts.every(({ otherNumbers }) => otherNumbers.length === 0))
    out.say(t('several', { count: looked.several }), 'muted')
  tellContacts({ out, t }, looked)
  if (looked.errors.length === 0) return
  out.line()
  out.table(looked.errors.slice(0, SHOWN), [
    { title: t('row'), of: row => row.row, right: true, tone: () => 'bad' },
    { title: t('field'), of: row => page(`column.${row.field}`) },
    { title: t('value'), of: row => row.value, gives: true },
    {
      title: t('what'),
      // Whoever is to mend the row reads all of it.
      of: row => page(`problem.${row.code}`),
    },
  ])
  if (looked.wrong > SHOWN) out.line(paint(t('moreWrong', { count: looked.wrong - SHOWN }), 'muted'))
}

const SHOWN = 10

function tellContacts({ out, t }: Pick<CommandContext, 'out' | 't'>, { contacts }: ImportPreview) {
  if (contacts.length === 0) return
  out.line()
  out.table(contacts, [
    { title: t('row'), of: one => one.row, right: true },
    { title: t('name'), of: one => one.name || '—', gives: true },
    { title: t('number'), of: one => [one.number, ...one.otherNumbers].map(formatPhone).join(', ') },
    { title: t('outcome'), of: one => t(`is.${one.outcome}`) },
  ])
}

/** Whether to go on, asked of the person. */
function confirmImport(
  { ask, t }: Pick<CommandContext, 'ask' | 't'>,
  { wrong, created, updated }: ImportPreview,
): Promise<boolean> {
  if (!ask.isThere) throw new Failure('needsYes', {}, 2)
  const question = wrong > 0 ? t('askWithout', { count: wrong }) : t('ask', { count: created + updated })
  return ask.confirm(`${question} [${t('yesNo')}] `, t('yes'))
}

/** The wrong rows, to be mended and imported again. */
async function tellWrong({ out, t }: Pick<CommandContext, 'out' | 't'>, { errorSheet }: ImportPreview) {
  if (!errorSheet) return
  const path = await saveSmall(errorSheet.name, errorSheet.base64)
  out.warn(t('wrongIn', { path }))
}
