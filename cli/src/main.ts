// `balcao`: finds the command, runs it, says what went wrong, ends with the right code.
import { isApiError } from '@balcao/client'
import { commands } from './commands/index.ts'
import { createAsk } from './kit/ask.ts'
import type { CommandContext } from './kit/command.ts'
import { type Desk, enter, resolveProfile } from './kit/desk.ts'
import { takeEnding } from './kit/ending.ts'
import { describeFault, translateValues } from './kit/faults.ts'
import { createOut, toSafeJson, wrapBehindMark } from './kit/out.ts'
import { readProfiles } from './kit/profiles.ts'
import { isAtServer, runOnServer } from './kit/server.ts'
import { showProgress } from './kit/spinner.ts'
import { createTexts, detectLanguage } from './kit/texts.ts'
import {
  CommanderError,
  type CommandInvocation,
  createProgram,
  describeComplaint,
  resolveCommandPath,
} from './program.ts'
import { VERSION } from './version.ts'

/** 128 + SIGPIPE, as of any program. */
const UNREAD = 141
const { env, stdout, stderr } = process
const words = process.argv.slice(2)
const language = detectLanguage(env)
const shared = createTexts(language)
const asJson = words.includes('--json')
const ending = takeEnding({
  waits: () => asJson || printMarkedLine('·', shared('stopped.waits')),
  unsure: () =>
    asJson ? tellProgram('unsure', shared('stopped.unsure')) : printMarkedLine('!', shared('stopped.unsure')),
})

// Who reads no further (`| head`) stops the command: what it was asked for may not be done. An answer that finds no room is none.
let isUnread = false
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      if (!isUnread) ending.leave(UNREAD).catch(() => process.exit(UNREAD))
      isUnread = true
      return
    }
    const message = shared('fault.notWritten', translateValues({ why: error.code ?? error.message }, shared))
    if (stream === stdout && asJson) tellProgram('notWritten', message)
    else if (stream === stdout) stderr.write(`${wrapBehindMark(message, stderr, '✗')}\n`)
    process.exit(1)
  })

let exitCode = 0
const program = createProgram({ commands, language, version: VERSION, stdout, stderr, perform: runInvocation })
try {
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  exitCode = printComplaint(error)
}
// Who was stopped leaves by that way.
if (ending.signal.aborted) await new Promise(() => undefined)
await ending.finish()
process.exit(exitCode)

async function runInvocation({ command, args, options, json, profile }: CommandInvocation): Promise<void> {
  const t = createTexts(language, command.texts)
  const out = createOut({ json, stdout, stderr, env })
  let [url, byToken] = ['', false]
  let entered: Promise<Desk> | undefined
  const call: CommandContext = {
    args,
    options,
    out,
    t,
    language,
    ask: createAsk(ending),
    ending,
    env,
    profile,
    async desk() {
      const where = resolveProfile(
        env,
        () => readProfiles(env, path => out.note(shared('profilesOpen', { path }))),
        profile,
      )
      url = where.url
      byToken = where.user === ''
      entered ??= enter(where, language, ending)
      return entered
    },
    speaksTo(wanted) {
      url = wanted
    },
    during: (label, work) => showProgress(label, work, out, ending),
  }
  try {
    const done = command.onServer && !isAtServer() ? await runOnServer(words, ending) : await command.run(call)
    exitCode = typeof done === 'number' ? done : 0
  } catch (error) {
    // Stopped by hand: the exit code says so, and what was refused meanwhile is told.
    if (ending.signal.aborted && !(isApiError(error) && error.code !== 'OFFLINE')) return
    const fault = describeFault(error, t, language, { url, byToken })
    const { code, message, details } = fault
    if (json) tellProgram(code, message, details)
    else
      stderr.write(
        [wrapBehindMark(message, stderr, '✗'), ...details.map(each => wrapBehindMark(each, stderr, ' ')), ''].join(
          '\n',
        ),
      )
    exitCode = fault.exitCode
  }
}

/** Says what was wrong with the words; the exit code. */
function printComplaint(error: CommanderError): number {
  const complaint = describeComplaint(error, shared)
  if (complaint === null) return error.exitCode === 0 ? 0 : 2
  if (asJson) tellProgram('ERR_USAGE', complaint)
  else
    stderr.write(
      `${wrapBehindMark(complaint, stderr, '✗')}\n  ${shared('wrong.see', { command: resolveCommandPath(program, words) })}\n`,
    )
  return 2
}

function tellProgram(error: string, message: string, details: readonly string[] = []) {
  stderr.write(`${toSafeJson({ error, message, details })}\n`)
}

/** A line of its own on a terminal on which something may stand already, such as `^C`. */
function printMarkedLine(mark: string, text: string) {
  stderr.write(`${stderr.isTTY ? '\n' : ''}${wrapBehindMark(text, stderr, mark)}\n`)
}
