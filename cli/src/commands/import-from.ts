// Moving in from another desk, on the server's machine (docs/decisions/0319): looked at first, then asked, then brought in by the running
// server; stopped, gone on with, and undone.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { MOVE_IN_NAMES, MOVE_IN_SOURCES, MOVE_IN_WORKING, type MoveIn, type MoveInPreview } from '@balcao/contract'
import sharedEn from '@balcao/contract/texts/move-in/en.json'
import sharedEs from '@balcao/contract/texts/move-in/es.json'
import sharedPt from '@balcao/contract/texts/move-in/pt.json'
import ownEn from '../../locales/import-from/en.json'
import ownEs from '../../locales/import-from/es.json'
import ownPt from '../../locales/import-from/pt.json'
import { readPipe } from '../kit/ask.ts'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { Failure, findSentence, getErrorCode } from '../kit/faults.ts'
import { parseChoice } from '../kit/pick.ts'
import { formatInstant } from '../kit/when.ts'

const [pt, en, es] = [
  { ...sharedPt, ...ownPt },
  { ...sharedEn, ...ownEn },
  { ...sharedEs, ...ownEs },
]

/** The server's own rooms are not everywhere. */
type MoveInDesk = Parameters<
  Parameters<typeof import('@balcao/backend/operations/move-in/installation')['openMoveDesk']>[1]
>[0]

const POLL_MS = 500
/** A server that runs takes it up sooner, unless it has other long work. */
const UNTAKEN_MS = 5000

export const importFrom = defineCommand({
  name: 'import from',
  texts: { pt, en, es },
  args: { source: '<source>', place: '<address>' },
  options: { company: '--company <number>', account: '--account <number>', preview: '--preview', yes: '-y, --yes' },
  onServer: true,
  async run(call) {
    const { args, options, t, out } = call
    const source = parseChoice(args.source, MOVE_IN_SOURCES)
    const openTag = t('openTag', { source: MOVE_IN_NAMES[source] })
    const company = options.company ?? options.account
    const from = await readPlace(call, args.place)
    return runMove(call, async desk => {
      const read = await readMove(call, desk, { source, from, company, openTag })
      if (read.state === 'failed' || !read.preview) return tellEnd(call, read)
      if (!out.json) tellPreview(call, read.preview)
      if (options.preview || !(await confirm(call, 'ask', options.yes))) {
        out.answer(read, () => out.line(t('notTaken')))
        return options.preview ? 0 : 1
      }
      await desk.goOn(read.id)
      return tellEnd(call, await follow(call, desk, read.id))
    })
  },
})

export const resumeImport = defineCommand({
  name: 'import resume',
  texts: { pt: { ...pt, ...pt.resume }, en: { ...en, ...en.resume }, es: { ...es, ...es.resume } },
  onServer: true,
  run: call =>
    runMove(call, async desk => {
      const id = await findNewest(desk)
      await desk.goOn(id)
      return tellEnd(call, await follow(call, desk, id))
    }),
})

export const importFiles = defineCommand({
  name: 'import files',
  texts: { pt: { ...pt, ...pt.files }, en: { ...en, ...en.files }, es: { ...es, ...es.files } },
  args: { folder: '<folder>' },
  onServer: true,
  run: call =>
    runMove(call, async desk => {
      const { folder } = call.args
      const isAddress = /^https?:\/\//i.test(folder)
      // It could be seen as an argument, is stored with the move, and nobody is asked with one.
      if (/^https?:\/\/[^/?#]*@/i.test(folder)) throw new Failure('secretForFiles', {}, 2)
      if (!isAddress && !existsSync(folder)) throw new Failure('noFile', { path: folder }, 2)
      const id = await findNewest(desk)
      await desk.bringFiles(id, isAddress ? folder : resolve(folder))
      return tellFiles(call, await follow(call, desk, id))
    }),
})

export const undoImport = defineCommand({
  name: 'import undo',
  texts: { pt: { ...pt, ...pt.undo }, en: { ...en, ...en.undo }, es: { ...es, ...es.undo } },
  options: { yes: '-y, --yes' },
  onServer: true,
  run: call =>
    runMove(call, async desk => {
      const id = await findNewest(desk)
      if (!(await confirm(call, 'askUndo', call.options.yes))) return 1
      await desk.undo(id)
      return tellEnd(call, await follow(call, desk, id))
    }),
})

/** Reads all of it; where several companies are in it, once more of the one that is chosen. */
async function readMove(
  call: CommandContext,
  desk: MoveInDesk,
  request: Parameters<MoveInDesk['begin']>[0],
): Promise<MoveIn> {
  const { ask, out, t } = call
  const read = await follow(call, desk, await desk.begin(request))
  if (read.error !== 'ERR_MOVE_IN_COMPANY' || request.company !== undefined || !ask.isThere) return read
  for (const company of read.preview?.companies ?? []) out.say(t('company', company))
  const company = await ask.line(`${t('askCompany')} `)
  return company === '' ? read : follow(call, desk, await desk.begin({ ...request, company }))
}

/** A database, or a dump in a folder. Its password is asked for, or comes with the whole address by the pipe (`-`). */
async function readPlace(call: CommandContext, written: string): Promise<MoveInOrigin> {
  const place = written === '-' ? (await readPipe()).trim() : written
  if (DATABASE.test(place)) return { address: written === '-' ? place : await addPassword(call, place) }
  if (/^[a-z]+:\/\//i.test(place)) throw new Failure('unknownDatabase', {}, 2)
  if (!existsSync(place)) throw new Failure('noFile', { path: place }, 2)
  return { dump: resolve(place) }
}

type MoveInOrigin = { readonly address: string } | { readonly dump: string }

const DATABASE = /^(?:postgres(?:ql)?|mysql|mariadb):\/\//i
const USER = /^[a-z]+:\/\/([^/?@:]+)@/i
/** Behind the user, whatever letters it has, or as a parameter. A port is none. */
const PASSWORD = /^[a-z]+:\/\/[^/?@:]+:(?!\d+[/?,])[^@]*@|[?&](?:password|pwd)=/i

/** What is an argument is seen in the list of processes and stays in the history, and in the system's journal. */
async function addPassword({ ask, t }: CommandContext, address: string): Promise<string> {
  if (PASSWORD.test(address)) throw new Failure('secretInPlace', {}, 2)
  const [head = '', user] = USER.exec(address) ?? []
  if (user === undefined || !ask.isThere) return address
  const password = await ask.secret(`${t('password', { user })} `)
  return password === ''
    ? address
    : `${head.slice(0, -1)}:${encodeURIComponent(password)}@${address.slice(head.length)}`
}

/** What keeps it from being done is said in the reader's language. */
async function runMove<T>({ env, t, language }: CommandContext, work: (desk: MoveInDesk) => Promise<T>): Promise<T> {
  const { openMoveDesk } = await import('@balcao/backend/operations/move-in/installation')
  try {
    return await openMoveDesk(env, work)
  } catch (error) {
    const why = findSentence(getErrorCode(error) ?? '', t, language)
    throw why === undefined ? error : new Failure('notMoved', { why })
  }
}

async function findNewest(desk: MoveInDesk): Promise<number> {
  const id = await desk.findNewest()
  if (id === null) throw new Failure('none')
  return id
}

async function confirm({ ask, t }: CommandContext, question: 'ask' | 'askUndo', isSure: boolean): Promise<boolean> {
  if (isSure) return true
  if (!ask.isThere) throw new Failure('needsYes', {}, 2)
  return ask.confirm(`${t(question)} [${t('yesNo')}] `, t('yes'))
}

/** Until it stands still. Who stops the command stops the move as well: it goes on from there another time. */
async function follow({ during, out, t, ending }: CommandContext, desk: MoveInDesk, id: number): Promise<MoveIn> {
  let seen = await desk.load(id)
  const forget = ending.onEnd(() => desk.stop(id))
  const since = performance.now()
  let isWaiting = true
  let isUntaken = false
  async function wait(): Promise<void> {
    while (MOVE_IN_WORKING.includes(seen.state)) {
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
      isWaiting &&= await desk.isWaiting(id)
      if (isWaiting && !isUntaken && performance.now() - since > UNTAKEN_MS) {
        isUntaken = true
        if (!out.isTerminal) out.warn(t('untaken'))
      }
      seen = await desk.load(id)
    }
  }
  const label = () =>
    isUntaken && isWaiting
      ? t('untaken')
      : t(seen.state === 'done' ? 'writing' : seen.state, { count: seen.done, done: seen.done, total: seen.total })
  await during(label, wait()).finally(forget)
  return seen
}

function tellPreview({ out, t, language }: CommandContext, preview: MoveInPreview): void {
  out.say(t('would'))
  out.table(preview.kinds, [
    { title: t('what'), of: ({ kind }) => t(`kind.${kind}`) },
    { title: t('comes'), of: ({ count }) => count, right: true },
    { title: t('stays'), of: ({ left }) => left, right: true, tone: ({ left }) => (left > 0 ? 'bad' : 'muted') },
  ])
  for (const { kind, fault, count, names } of preview.faults)
    out.line(t('left', { kind: t(`kind.${kind}`), why: t(`problem.${fault}`), count, names: names.join(', ') }))
  const { firstAt, lastAt, openTickets } = preview
  if (firstAt !== null && lastAt !== null)
    out.line(t('period', { from: formatInstant(firstAt, language), to: formatInstant(lastAt, language) }))
  if (openTickets > 0) out.line(t('open', { count: openTickets }))
}

/** How many are here now, of those that messages name. */
function tellFiles({ out, t, language }: CommandContext, move: MoveIn): number {
  const { file: files = 0, fileNamed: named = 0 } = move.counts
  if (move.error !== null) throw new Failure('notMoved', { why: findSentence(move.error, t, language) ?? move.error })
  out.answer(move, () =>
    (files < named ? out.warn : out.done)(t('filesDone', { files, named, missing: named - files })),
  )
  return 0
}

function tellEnd({ out, t, language }: CommandContext, move: MoveIn): number {
  const { state, counts, done, total, error, preview } = move
  if (state === 'failed') {
    for (const company of preview?.companies ?? []) out.warn(t('company', company))
    throw new Failure('notMoved', { why: findSentence(error ?? '', t, language) ?? error ?? '' })
  }
  const { contact: contacts = 0, ticket: tickets = 0, message: messages = 0 } = counts
  out.answer(move, () => {
    if (state === 'done') out.done(t('done', { contacts, tickets, messages }))
    else if (state === 'undone') out.done(t('undone'))
    else out.warn(t(state === 'undoStopped' ? state : 'stopped', { done, total }))
  })
  return state === 'done' || state === 'undone' ? 0 : 1
}
