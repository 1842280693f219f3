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
/** A terminal that is asked to marks what is pasted: its line breaks are text, and end no question. */
const MARK_PASTES = '\u001b[?2004h'
const LEAVE_PASTES = '\u001b[?2004l'
const [PASTE_BEGINS, PASTE_ENDS] = ['\u001b[200~', '\u001b[201~']

export function createAsk(ending: Ending): Prompter {
  const { stdin, stderr } = process
  const isThere = stdin.isTTY === true && stderr.isTTY === true

  function read(question: string, shown: boolean): Promise<string> {
    if (!isThere) throw new Failure('noTerminal', { question: question.trim() }, 2)
    stderr.write(question + MARK_PASTES)
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.resume()
    return new Promise(resolve => {
      let typed = ''
      let isPasted = false
      const done = () => {
        stdin.off('data', heard)
        stdin.setRawMode(false)
        stdin.pause()
        stderr.write(`${LEAVE_PASTES}\n`)
        forget()
      }
      const forget = ending.onEnd(done)
      const change = (after: string) => {
        if (shown) echo(typed, after)
        typed = after
      }
      /** What follows the end of the answer is not heard. */
      const press = (keys: string): boolean => {
        // Arrows and the like are no text.
        if (keys.startsWith('\u001b')) return true
        for (const key of keys) {
          if (key === CTRL_C || (key === CTRL_D && typed === '')) {
            ending.leave(130).catch(() => process.exit(130))
            return false
          }
          if (key === '\r' || key === '\n') {
            done()
            resolve(typed)
            return false
          }
          change(applyKey(typed, key))
        }
        return true
      }
      let held = ''
      const heard = (keys: string) => {
        for (let rest = held + keys; rest !== ''; ) {
          const mark = isPasted ? PASTE_ENDS : PASTE_BEGINS
          const at = rest.indexOf(mark)
          // The end of a long text may come in two.
          const last = rest.lastIndexOf('\u001b')
          held = isPasted && at < 0 && last >= 0 && !rest.includes('~', last) ? rest.slice(last) : ''
          const part = rest.slice(0, at < 0 ? rest.length - held.length : at)
          if (isPasted) change(typed + toPastedText(part, shown))
          else if (part !== '' && !press(part)) return
          if (at < 0) return
          isPasted = !isPasted
          rest = rest.slice(at + mark.length)
        }
      }
      stdin.on('data', heard)
    })
  }

  function echo(before: string, typed: string) {
    // In raw mode a line break alone does not go back to the margin.
    if (typed.startsWith(before)) stderr.write(typed.slice(before.length).replaceAll('\n', '\r\n'))
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

/** Line breaks as text has them; none in what is not shown. No other control character. */
function toPastedText(pasted: string, keepsLines: boolean): string {
  const text = pasted.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, '')
  return keepsLines ? text : text.replaceAll('\n', '')
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
