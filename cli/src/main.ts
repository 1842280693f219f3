// `balcao`: finds the command, runs it, says what went wrong, ends with the right code.
import { isApiError } from '@balcao/client'
import { commands } from './commands/index.ts'
import { createAsk } from './kit/ask.ts'
import type { Call } from './kit/command.ts'
import { type Desk, enter, whereTo } from './kit/desk.ts'
import { takeEnding } from './kit/ending.ts'
import { told, worded } from './kit/faults.ts'
import { createOut, jsonText, marked } from './kit/out.ts'
import { readProfiles } from './kit/profiles.ts'
import { handToServer, isAtServer } from './kit/server.ts'
import { during } from './kit/spinner.ts'
import { languageOf, textsOf } from './kit/texts.ts'
import { type Asked, CommanderError, complaintOf, createProgram, meant } from './program.ts'
import { VERSION } from './version.ts'

const { env, stdout, stderr } = process
const words = process.argv.slice(2)
const language = languageOf(env)
const shared = textsOf(language)
const asJson = words.includes('--json')
const ending = takeEnding({
  waits: () => asJson || beside('·', shared('stopped.waits')),
  unsure: () => (asJson ? tellProgram('unsure', shared('stopped.unsure')) : beside('!', shared('stopped.unsure'))),
})

// Who reads no further (`| head`) has had enough. An answer that finds no room is none.
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    const message = shared('fault.notWritten', worded({ why: error.code ?? error.message }, shared))
    if (stream === stdout && asJson) tellProgram('notWritten', message)
    else if (stream === stdout) stderr.write(`${marked(message, stderr, '✗')}\n`)
    process.exit(1)
  })

let exitCode = 0
const program = createProgram({ commands, language, version: VERSION, stdout, stderr, perform })
try {
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  exitCode = complain(error)
}
// Who was stopped leaves by that way.
if (ending.signal.aborted) await new Promise(() => undefined)
await ending.finish()
process.exit(exitCode)

async function perform({ command, args, options, json, profile }: Asked): Promise<void> {
  const t = textsOf(language, command.texts)
  const out = createOut({ json, stdout, stderr, env })
  let [url, byToken] = ['', false]
  let entered: Promise<Desk> | undefined
  const call: Call = {
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
      const where = whereTo(env, () => readProfiles(env, path => out.note(shared('profilesOpen', { path }))), profile)
      url = where.url
      byToken = where.user === ''
      entered ??= enter(where, language, ending)
      return entered
    },
    speaksTo(wanted) {
      url = wanted
    },
    during: (what, work) => during(what, work, out, ending),
  }
  try {
    const done = command.onServer && !isAtServer() ? await handToServer(words, ending) : await command.run(call)
    exitCode = typeof done === 'number' ? done : 0
  } catch (error) {
    // Stopped by hand: the exit code says so, and what was refused meanwhile is told.
    if (ending.signal.aborted && !(isApiError(error) && error.code !== 'OFFLINE')) return
    const fault = told(error, t, language, { url, byToken })
    const { code, message, details } = fault
    if (json) tellProgram(code, message, details)
    else stderr.write([marked(message, stderr, '✗'), ...details.map(each => marked(each, stderr, ' ')), ''].join('\n'))
    exitCode = fault.exitCode
  }
}

/** Says what was wrong with the words; the exit code. */
function complain(error: CommanderError): number {
  const complaint = complaintOf(error, shared)
  if (complaint === null) return error.exitCode === 0 ? 0 : 2
  if (asJson) tellProgram('ERR_USAGE', complaint)
  else stderr.write(`${marked(complaint, stderr, '✗')}\n  ${shared('wrong.see', { command: meant(program, words) })}\n`)
  return 2
}

function tellProgram(error: string, message: string, details: readonly string[] = []) {
  stderr.write(`${jsonText({ error, message, details })}\n`)
}

/** A line of its own on a terminal on which something may stand already, such as `^C`. */
function beside(mark: string, text: string) {
  stderr.write(`${stderr.isTTY ? '\n' : ''}${marked(text, stderr, mark)}\n`)
}
