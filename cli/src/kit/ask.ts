// Questions to the person at the terminal. Without one nobody is there to answer: the command says which option to use.
import type { Ending } from './ending.ts'
import { Failure } from './faults.ts'

export interface Prompter {
  readonly isThere: boolean
  line(question: string): Promise<string>
  /** What is typed is not shown. */
  secret(question: string): Promise<string>
  /** No unless it begins with one of `yes`. */
  confirm(question: string, yes: string): Promise<boolean>
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_U = '\u0015'
const BACKSPACES = ['\u007f', '\b']

export function createAsk(ending: Ending): Prompter {
  const { stdin, stderr } = process
  const isThere = stdin.isTTY === true && stderr.isTTY === true

  function read(question: string, shown: boolean): Promise<string> {
    if (!isThere) throw new Failure('noTerminal', { question: question.trim() }, 2)
    stderr.write(question)
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.resume()
    return new Promise(resolve => {
      let typed = ''
      const done = () => {
        stdin.off('data', heard)
        stdin.setRawMode(false)
        stdin.pause()
        stderr.write('\n')
        forget()
      }
      const forget = ending.onEnd(done)
      const heard = (keys: string) => {
        // Arrows and the like are no text.
        if (keys.startsWith('\u001b')) return
        for (const key of keys) {
          if (key === CTRL_C || (key === CTRL_D && typed === '')) {
            ending.leave(130).catch(() => process.exit(130))
            return
          }
          if (key === '\r' || key === '\n') {
            done()
            resolve(typed)
            return
          }
          const before = typed
          typed = applyKey(typed, key)
          if (shown) echo(before, typed)
        }
      }
      stdin.on('data', heard)
    })
  }

  function echo(before: string, typed: string) {
    if (typed.startsWith(before)) stderr.write(typed.slice(before.length))
    else stderr.write('\b \b'.repeat([...before].length - [...typed].length))
  }

  return {
    isThere,
    line: async question => (await read(question, true)).trim(),
    secret: question => read(question, false),
    confirm: async (question, yes) => {
      const answer = (await read(question, true)).trim().toLowerCase()
      return answer !== '' && [...yes].some(letter => answer.startsWith(letter))
    },
  }
}

function applyKey(typed: string, key: string): string {
  if (key === CTRL_U) return ''
  if (BACKSPACES.includes(key)) return [...typed].slice(0, -1).join('')
  return /\p{Cc}/u.test(key) ? typed : typed + key
}

/** All that comes by the pipe, without its last line break. */
export async function readPipe(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
