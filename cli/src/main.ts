// `balcao`: finds the command, runs it, says what went wrong, ends with the right code.
import { commands } from './commands/index.ts'
import { createAsk } from './kit/ask.ts'
import type { Call } from './kit/command.ts'
import { type Desk, enter, whereTo } from './kit/desk.ts'
import { takeEnding } from './kit/ending.ts'
import { told } from './kit/faults.ts'
import { createOut, jsonText } from './kit/out.ts'
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
const ending = takeEnding()

// Who reads no further (`| head`) has had enough.
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

let exitCode = 0
const program = createProgram({ commands, language, version: VERSION, stdout, stderr, perform })
try {
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  exitCode = complain(error)
}
await ending.finish()
// What is still on its way through a pipe would be cut off by the exit.
await Promise.all([stdout, stderr].map(stream => new Promise(resolve => stream.write('', resolve))))
process.exit(exitCode)

async function perform({ command, args, options, json, profile }: Asked): Promise<void> {
  const t = textsOf(language, command.texts)
  const out = createOut({ json, stdout, stderr, env })
  let url = ''
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
      entered ??= enter(where)
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
    // Stopped by hand: the exit code says so.
    if (ending.signal.aborted) return
    const fault = told(error, t, language, url)
    const { code, message, details } = fault
    if (json) stderr.write(`${jsonText({ error: code, message, details })}\n`)
    else stderr.write([`✗ ${message}`, ...details.map(each => `  ${each}`), ''].join('\n'))
    exitCode = fault.exitCode
  }
}

/** Says what was wrong with the words; the exit code. */
function complain(error: CommanderError): number {
  const complaint = complaintOf(error, shared)
  if (complaint === null) return error.exitCode === 0 ? 0 : 2
  if (words.includes('--json')) stderr.write(`${jsonText({ error: 'ERR_USAGE', message: complaint, details: [] })}\n`)
  else stderr.write(`✗ ${complaint}\n  ${shared('wrong.see', { command: meant(program, words) })}\n`)
  return 2
}
